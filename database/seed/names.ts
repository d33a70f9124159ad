import { firstNames, lastNames } from './vocabulary.ts'

export type Name = { readonly username: string; readonly displayName: string }

const combinations = firstNames.length * lastNames.length
const stride = 7_919 // prime, and no divisor of the combinations: neighbours get names that have nothing to do with each other

/** A name that nobody else has: when all combinations are taken the usernames go on with a number, as they do among people. */
export function inventName(person: number): Name {
  const combination = (person * stride) % combinations
  const round = Math.floor(person / combinations)
  const first = firstNames[combination % firstNames.length] ?? ''
  const last = lastNames[Math.floor(combination / firstNames.length)] ?? ''
  const separator = combination % 3 === 0 ? '_' : '-'
  return {
    username: `${first}${separator}${last}${round === 0 ? '' : round + 1}`.toLowerCase(),
    displayName: `${first} ${last}`,
  }
}
