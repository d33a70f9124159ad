import type { FastifyRequest } from 'fastify'
import { functionErrors } from './errors.ts'
import { type CallerProfile, findCallerProfile } from './queries.ts'

/** The signed-in caller. userId is auth.users.id, profileId is profiles.id. */
export type Person = Omit<CallerProfile, 'isSuspended'>

/** @throws 401 for a visitor or a key (GEN-40), 403 for a suspended user, 404 for an account without a profile (ERR-01). */
export async function requirePerson({ caller, db }: FastifyRequest): Promise<Person> {
  if (caller.role !== 'authenticated' || typeof caller.claims.sub !== 'string') throw functionErrors.signInRequired()
  const person = await findCallerProfile(db)
  if (!person) throw functionErrors.profileMissing()
  if (person.isSuspended) throw functionErrors.suspended()
  return person
}
