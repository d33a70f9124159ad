import { randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` letters and digits that nobody can guess (5.9 bits each). */
export const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** An id in Stripe's form: `newId('acct')` → `acct_1x9…`. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`
