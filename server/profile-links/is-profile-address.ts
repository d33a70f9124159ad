import { canonicalPath } from '@ovation/contract/canonical-path'
import { paths } from '@ovation/contract/paths'

type Profile = {
  readonly usernames: readonly string[]
  /** The creator's own domain, if it leads to the profile. */
  readonly domain: string | null
}

/**
 * Whether an address is that of this profile: long (`/profile/mara`) or short (`/@mara`), under its present username or a former one that still
 * leads there, or the creator's own domain. With or without TLS: a page that was written before the site had it redirects.
 */
export function isProfileAddress(address: URL, siteUrl: string, { usernames, domain }: Profile): boolean {
  if (!/^https?:$/.test(address.protocol)) return false
  if (address.host === domain) return address.pathname === '/'
  if (address.host !== new URL(siteUrl).host) return false
  const path = canonicalPath(address.pathname) ?? address.pathname.toLowerCase().replace(/\/+$/, '')
  return usernames.some((username) => paths.profile(username) === path)
}
