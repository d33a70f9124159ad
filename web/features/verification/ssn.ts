import { ssnDigits } from '@ovation/contract/limits'

const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, ssnDigits)

/** Typed or pasted text as `123-45-6789`, as far as its digits go (VER-07). */
export function formatSsn(text: string): string {
  const digits = digitsOf(text)
  return [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].filter(Boolean).join('-')
}

export const isWholeSsn = (text: string): boolean => digitsOf(text).length === ssnDigits

/** The caret's position in the formatted text, after the same number of digits as in the typed text. */
export function caretAfter(typedBeforeCaret: string): number {
  const digits = digitsOf(typedBeforeCaret).length
  return digits + (digits > 3 ? 1 : 0) + (digits > 5 ? 1 : 0)
}
