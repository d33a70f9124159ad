import { passwordMaxLength } from '@ovation/contract/limits'
import { verifyPassword } from '../auth/passwords/passwords.ts'
import { sql } from '../postgres/sql.ts'
import { defineFunction } from './define.ts'
import { deleteAccount } from './delete-account.ts'
import { functionErrors } from './errors.ts'
import type { Field } from './fields.ts'

/** Who holds a stolen session must not find the password by trying. */
const attempts = { uses: 5, windowSeconds: 300 }

/** As it was typed: spaces at its ends are part of a password. */
const password: Field<string> = (value, name) => {
  if (typeof value === 'string' && value !== '' && value.length <= passwordMaxLength) return value
  throw functionErrors.invalidField(name, 'Enter your password')
}

/** `delete-own-account` {password} → {success} (API-FN-15, SET-14, D6). The session that asks is not enough: the password is asked again. */
export const deleteOwnAccount = defineFunction({
  name: 'delete-own-account',
  fields: { password },
  run: async ({ person, input, services }) => {
    const seconds = await services.rateLimits.named('delete-own-account', attempts).take(person.userId)
    if (seconds > 0) throw functionErrors.tooManyAttempts(seconds)
    const [account] = await services.database.service.rows<{ hash: string | null }>(sql`
      select encrypted_password as hash from auth.users where id = ${person.userId}`)
    if (account?.hash === null || account?.hash === '') throw functionErrors.passwordMissing()
    if (!(await verifyPassword(input.password, account?.hash))) throw functionErrors.wrongPassword()
    await deleteAccount(services, person.userId, person.userId)
    return { success: true }
  },
})
