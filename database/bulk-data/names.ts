import { firstNames, lastNames } from './vocabulary.ts'

export type Name = { readonly username: string; readonly displayName: string }

const combinations = firstNames.length * lastNames.length
const stride = 7_919 // prime, and not a divisor of the combinations: neighboring users get unrelated names

/** A unique name: when all combinations are taken, usernames continue with a number, as real ones do. */
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
