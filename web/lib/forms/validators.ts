import { displayNameMaxLength, usernameMaxLength, usernameMinLength } from '@ovation/contract/limits'

/** Good enough to catch typos; only an email can prove that the address exists. */
export const looksLikeEmail = (value: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())

/** A username as it is stored: lowercase, without white space (AUTH-09). */
export const normalizeUsername = (value: string): string => value.toLowerCase().replace(/\s+/g, '')

export const isUsername = (value: string): boolean =>
  new RegExp(`^[a-z0-9_-]{${usernameMinLength},${usernameMaxLength}}$`).test(value)

export const isDisplayName = (value: string): boolean => value.trim().length <= displayNameMaxLength

/** An http or https URL, as a browser parses it. */
export function isWebAddress(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.')
}
