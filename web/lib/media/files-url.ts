import { appConfig } from '../api/config.ts'

/** The address from which the browser loads a file of this site: the CDN's, if there is one. @param address with or without an origin. */
export function fileUrl(address: string): string {
  const { filesUrl } = appConfig()
  return filesUrl ? filesUrl + address.slice(address.indexOf('/storage/v1/')) : address
}
