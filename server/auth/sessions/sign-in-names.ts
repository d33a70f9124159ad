import type { Account } from '../users/account.ts'

/** @returns the names of a sign-in to remember. Codes are typed for an address or a number, and second factors belong to the account. */
export const namesOf = ({ id, email, phone }: Pick<Account, 'id' | 'email' | 'phone'>): string[] =>
  [id, email?.toLowerCase(), phone].filter((name) => name !== null && name !== undefined)
