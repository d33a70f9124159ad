import type { Account } from '../users/account.ts'

/** @returns what a sign-in is remembered by. Codes are typed for an address or a number, and second factors belong to the account. */
export const namesOf = ({ id, email, phone }: Pick<Account, 'id' | 'email' | 'phone'>): string[] =>
  [id, email?.toLowerCase(), phone].filter((name) => name !== null && name !== undefined)
