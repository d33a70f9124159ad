import { profileLinkUrlMaxLength } from '@ovation/contract/profile-layouts'

/** Every other character of an address is encoded. */
const otherCharacters = /[^A-Za-z0-9/?#[\]@!$&'()*+,;=:._~%-]/g

/**
 * A typed address as browsers write it and the server stores it: `"noor.example"` → `"https://noor.example/"`. `null` if it is none with
 * https and a domain name (0059_profile_layouts.sql).
 */
export function linkAddress(typed: string): string | null {
  const text = typed.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`)
  if (url?.protocol !== 'https:' || url.username || url.password || url.port) return null
  if (!/^([a-z0-9_-]+\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(url.hostname)) return null
  return url.href.replace(otherCharacters, encodeURIComponent)
}

export const isTooLong = (address: string): boolean => address.length > profileLinkUrlMaxLength
