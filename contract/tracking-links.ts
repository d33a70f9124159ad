import { paths } from './paths.ts'

/** A creator's link, which the server leads on and counts (LINK-01). No screen of the app. */
export const trackingLinkPrefix = '/l/'
export const trackingLinkPath = (code: string): string => `${trackingLinkPrefix}${encodeURIComponent(code)}`

/** The creator's links on the dashboard, or the figures of one. */
export const trackingLinksPath = (id = ''): string =>
  `${paths.dashboard}?tab=links${id && `&link=${encodeURIComponent(id)}`}`
