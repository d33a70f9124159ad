import { canonicalPath } from '@ovation/contract/canonical-path'
import { paths } from '@ovation/contract/paths'

/**
 * Whether an address is that of this profile, long (`/profile/mara`) or short (`/@mara`), under its present username or a former one that still
 * leads there. With or without TLS: a page that was written before the site had it redirects.
 */
export function isProfileAddress(address: URL, siteUrl: string, usernames: readonly string[]): boolean {
  if (address.host !== new URL(siteUrl).host || !/^https?:$/.test(address.protocol)) return false
  const path = canonicalPath(address.pathname) ?? address.pathname.toLowerCase().replace(/\/+$/, '')
  return usernames.some((username) => paths.profile(username) === path)
}
