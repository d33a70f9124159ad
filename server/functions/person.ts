import type { FastifyRequest } from 'fastify'
import { sql } from '../postgres/sql.ts'
import { functionErrors } from './errors.ts'

/** Who calls, as the database knows them. */
export type Person = {
  /** auth.users.id */
  readonly userId: string
  /** profiles.id */
  readonly profileId: string
  readonly username: string
  readonly displayName: string | null
  readonly email: string | null
  /** Has an admin's rights in this session (AUTH_MFA_REQUIRED_FOR_ADMINS may ask for a second factor). */
  readonly isAdmin: boolean
  /** May publish and sell: an approved application, or the admin role (D25, DASH-09). */
  readonly isApprovedCreator: boolean
  readonly stripeAccountId: string | null
}

/** @throws 401 for a visitor or a key (GEN-40), 403 for whoever is suspended, 404 for an account whose profile is gone (ERR-01). */
export async function requirePerson({ caller, db }: FastifyRequest): Promise<Person> {
  if (caller.role !== 'authenticated' || typeof caller.claims.sub !== 'string') throw functionErrors.signInRequired()
  const [person] = await db.rows<Person & { isSuspended: boolean }>(sql`
    select
      p.user_id as "userId",
      p.id as "profileId",
      p.username,
      p.display_name as "displayName",
      auth.email() as email,
      auth.is_admin() as "isAdmin",
      p.is_verified or p.role = 'admin' as "isApprovedCreator",
      p.stripe_account_id as "stripeAccountId",
      auth.is_suspended() as "isSuspended"
    from public.profiles p where p.user_id = auth.uid()`)
  if (!person) throw functionErrors.profileMissing()
  if (person.isSuspended) throw functionErrors.suspended()
  return person
}
