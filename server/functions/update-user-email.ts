import pg from 'pg'
import { recordAudit } from '../auth/audit.ts'
import { storeEmail } from '../auth/email/email-change.ts'
import { serviceRole } from '../postgres/caller.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { text, uuid } from './fields.ts'
import { auditEntry, lockAccount, requireNotAdmin } from './queries.ts'

const wellFormed = /^[^\s@<>"]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** `update-user-email` {userId: auth.users.id, newEmail} → {success, email} (API-FN-10, D24). The admin vouches for the address. */
export const updateUserEmail = defineFunction({
  name: 'update-user-email',
  requires: 'admin',
  fields: { userId: uuid({ label: 'The user' }), newEmail: text({ label: 'The email', max: 254 }) },
  run: async ({ person, input: { userId, newEmail }, services }) => {
    const email = newEmail.toLowerCase()
    if (!wellFormed.test(email)) throw functionErrors.invalidField('newEmail', 'Enter a valid email')
    await services.database
      .transaction(serviceRole, async (db) => {
        const user = await lockAccount(db, userId)
        if (!user) throw functionErrors.userNotFound()
        if (user.email?.toLowerCase() === email)
          throw functionErrors.invalidField('newEmail', 'The account already uses this email')
        if (userId !== person.userId) await requireNotAdmin(db, userId)
        await storeEmail(db, userId, email, true)
        // The full addresses go where entries are deleted after AUTH_AUDIT_LOG_DAYS: the admins' log is kept forever.
        const unknownPlace = { ip: null, userAgent: null }
        const { userId: by } = person
        await recordAudit(db, 'user_modified', { id: userId, email: user.email }, unknownPlace, { by, email })
        await db.rows(
          auditEntry({
            action: 'change_email',
            subjectType: 'users',
            subjectId: userId,
            before: { email: masked(user.email) },
            after: { email: masked(email) },
            actorId: by,
          }),
        )
      })
      .catch((error: unknown) => {
        if (error instanceof pg.DatabaseError && error.constraint === 'users_email_key')
          throw functionErrors.emailTaken()
        throw error
      })
    return { success: true, email }
  },
})

/** Enough to recognize an address, but not to find its owner: `f…@example.com`. */
function masked(email: string | null): string | null {
  return email?.replace(/(?<=^.).*(?=@)/u, '…') ?? null
}
