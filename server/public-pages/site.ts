import type { Services } from './services.ts'

/** How the installation is called, and where it is: by its own configuration, never by a request's `Host`. */
export type Site = {
  readonly name: string
  /** The origin, without a trailing slash. */
  readonly url: string
  /** The origin of the CDN from which browsers load public files; undefined: the site itself. */
  readonly filesUrl?: string | undefined
}

export const siteOf = ({ config, siteUrl }: Services): Site => ({
  name: config.operator.productName,
  url: siteUrl(),
  filesUrl: config.filesUrl,
})

/** @param path of this site. */
export const addressOn = ({ url }: Site, path: string): string => `${url}${path}`
