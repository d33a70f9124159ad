import { dictionary } from '@zxcvbn-ts/language-common'

/** Passwords that leaked most often: the ones that are tried first. Shipped with the product; nothing is asked of anybody. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** Capitals make none of them less common. Nothing else is guessed at: what is refused is on the list. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase())
}
