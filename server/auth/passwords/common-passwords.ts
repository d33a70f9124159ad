import { dictionary } from '@zxcvbn-ts/language-common'

/** The most frequently leaked passwords, which attackers try first. The list is part of the product, so no service is called. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** Compares in lower case. Apart from that, only passwords on the list are rejected. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase())
}
