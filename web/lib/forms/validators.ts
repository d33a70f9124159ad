import { displayNameMaxLength, usernameMaxLength, usernameMinLength } from '@ovation/contract/limits'

/** Good enough to catch a slip; whether the address exists, only a message to it can tell. */
export const looksLikeEmail = (value: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())

/** What is typed into a username field, as it will be kept: lowercase, without white space (AUTH-09). */
export const normalizeUsername = (value: string): string => value.toLowerCase().replace(/\s+/g, '')

export const isUsername = (value: string): boolean =>
  new RegExp(`^[a-z0-9_-]{${usernameMinLength},${usernameMaxLength}}$`).test(value)

export const isDisplayName = (value: string): boolean => value.trim().length <= displayNameMaxLength

/** An address of the web, as a browser understands it. */
export function isWebAddress(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.')
}
