import { sql } from '../postgres/sql.ts'
import { defineFunction } from './define.ts'
import { deleteAccount } from './delete-account.ts'
import { functionErrors } from './errors.ts'
import { uuid } from './fields.ts'

/** `delete-user-account` {userId: auth.users.id} → {success} (API-FN-11, ADM-19, D24), for admins; one's own goes by `delete-own-account`. */
export const deleteUserAccount = defineFunction({
  name: 'delete-user-account',
  fields: { userId: uuid({ label: 'The user' }) },
  run: async ({ person, input, services }) => {
    if (!person.isAdmin) throw functionErrors.forbidden()
    if (input.userId === person.userId) throw functionErrors.ownAccount()
    await services.database.service.rows(sql`select private.require_not_admin(${input.userId})`)
    await deleteAccount(services, input.userId, person.userId)
    return { success: true }
  },
})
