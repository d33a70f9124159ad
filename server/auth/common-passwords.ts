import { dictionary } from '@zxcvbn-ts/language-common'

/** Passwords that leaked most often: the ones that are tried first. Shipped with the product; nothing is asked of anybody. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** As people vary them: capitals, and digits or marks at the end, make none of them less common. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  return common.has(lower) || common.has(lower.replace(/[\d!?.@#$*]{1,4}$/, ''))
}
