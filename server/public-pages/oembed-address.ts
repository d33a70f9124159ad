import type { Site } from './site.ts'

export type OEmbedFormat = 'json' | 'xml'

/** Where the description of a page's card is. */
export function oEmbedAddress(site: Site, url: string, format: OEmbedFormat): string {
  return `${site.url}/oembed?${new URLSearchParams({ url, format })}`
}
