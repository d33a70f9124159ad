import { passwordMaxLength } from '@ovation/contract/limits'
import { verifyPassword } from '../auth/passwords/passwords.ts'
import { defineFunction } from './define.ts'
import { deleteAccount } from './delete-account.ts'
import { functionErrors } from './errors.ts'
import type { Field } from './fields.ts'
import { readPasswordHash } from './queries.ts'

/** A stolen session must not allow guessing the password. */
const attempts = { uses: 5, windowSeconds: 300 }

/** As typed: leading and trailing spaces are part of a password. */
const password: Field<string> = (value, name) => {
  if (typeof value === 'string' && value !== '' && value.length <= passwordMaxLength) return value
  throw functionErrors.invalidField(name, 'Enter your password')
}

/** `delete-own-account` {password} → {success} (API-FN-15, SET-14, D6). Requires the password besides the session. */
export const deleteOwnAccount = defineFunction({
  name: 'delete-own-account',
  fields: { password },
  run: async ({ person, input, services }) => {
    const seconds = await services.rateLimits.named('delete-own-account', attempts).take(person.userId)
    if (seconds > 0) throw functionErrors.tooManyAttempts(seconds)
    const hash = await readPasswordHash(services.database.service, person.userId)
    if (hash === null || hash === '') throw functionErrors.passwordMissing()
    if (!(await verifyPassword(input.password, hash))) throw functionErrors.wrongPassword()
    await deleteAccount(services, person.userId, person.userId)
    return { success: true }
  },
})
