import pg from 'pg'
import { recordAudit } from '../auth/audit.ts'
import { storeEmail } from '../auth/email/email-change.ts'
import { serviceRole } from '../postgres/caller.ts'
import { sql } from '../postgres/sql.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { text, uuid } from './fields.ts'

const wellFormed = /^[^\s@<>"]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** `update-user-email` {userId: auth.users.id, newEmail} → {success, email} (API-FN-10, D24), for admins, who vouch for the address. */
export const updateUserEmail = defineFunction({
  name: 'update-user-email',
  fields: { userId: uuid({ label: 'The user' }), newEmail: text({ label: 'The email', max: 254 }) },
  run: async ({ person, input: { userId, newEmail }, services }) => {
    if (!person.isAdmin) throw functionErrors.forbidden()
    const email = newEmail.toLowerCase()
    if (!wellFormed.test(email)) throw functionErrors.invalidField('newEmail', 'Enter a valid email')
    await services.database
      .transaction(serviceRole, async (db) => {
        const [user] = await db.rows<{ email: string | null }>(sql`
          select email from auth.users where id = ${userId} for update`)
        if (!user) throw functionErrors.userNotFound()
        if (user.email?.toLowerCase() === email)
          throw functionErrors.invalidField('newEmail', 'The account already uses this email')
        if (userId !== person.userId) await db.rows(sql`select private.require_not_admin(${userId})`)
        await storeEmail(db, userId, email, true)
        // The whole addresses stand where entries go after AUTH_AUDIT_LOG_DAYS; the admins' log is kept for ever.
        const unknownPlace = { ip: null, userAgent: null }
        const { userId: by } = person
        await recordAudit(db, 'user_modified', { id: userId, email: user.email }, unknownPlace, { by, email })
        await db.rows(sql`
          select private.write_audit('change_email', 'users', ${userId}, jsonb_build_object('email', ${masked(user.email)}::text),
            jsonb_build_object('email', ${masked(email)}::text), '{}', ${by})`)
      })
      .catch((error: unknown) => {
        if (error instanceof pg.DatabaseError && error.constraint === 'users_email_key')
          throw functionErrors.emailTaken()
        throw error
      })
    return { success: true, email }
  },
})

/** Enough of an address to know it again by, and not to find its owner: `f…@example.com`. */
function masked(email: string | null): string | null {
  return email?.replace(/(?<=^.).*(?=@)/u, '…') ?? null
}
