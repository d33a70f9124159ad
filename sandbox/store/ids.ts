import { randomBytes, randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` letters and digits that nobody can guess (5.9 bits each). */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length)
    // The bytes above the last whole round of the alphabet are left out: they would make its beginning likelier.
    for (const byte of randomBytes(length))
      if (byte < 4 * alphabet.length) text += alphabet.charAt(byte % alphabet.length)
  return text.slice(0, length)
}

/** An id in Stripe's form: `newId('acct')` → `acct_1x9…`. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`

/** `length` digits. */
export const randomDigits = (length: number): string => Array.from({ length }, () => randomInt(10)).join('')
