import { defineFunction } from './define.ts'
import { deleteAccount } from './delete-account.ts'
import { functionErrors } from './errors.ts'
import { uuid } from './fields.ts'
import { requireNotAdmin } from './queries.ts'

/** `delete-user-account` {userId: auth.users.id} → {success} (API-FN-11, ADM-19, D24). Admins delete their own account with `delete-own-account`. */
export const deleteUserAccount = defineFunction({
  name: 'delete-user-account',
  requires: 'admin',
  fields: { userId: uuid({ label: 'The user' }) },
  run: async ({ person, input, services }) => {
    if (input.userId === person.userId) throw functionErrors.ownAccount()
    await requireNotAdmin(services.database.service, input.userId)
    await deleteAccount(services, input.userId, person.userId)
    return { success: true }
  },
})
