import { paymentErrors } from '../payments/errors.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import { functionErrors } from './errors.ts'
import { isAdmin, isApprovedCreator, mayPreparePlans } from './queries.ts'
import type { Services } from './services.ts'
import type { Person } from './signed-in-person.ts'

/**
 * What a function requires of its caller, beyond being signed in.
 * - `admin`: an admin's permissions in this session.
 * - `approved-creator`: may publish and sell (D25, DASH-09).
 * - `seller`: an approved creator, or one who waits for the review and prepares plans (LOOP-08).
 * - `tester`: may try out the integration: an admin, and outside production everyone signed in (D42).
 */
export type Requirement = 'admin' | 'approved-creator' | 'seller' | 'tester'

type Asking = {
  /** The database as the caller sees it. */
  readonly db: CallerDb
  readonly person: Person
  readonly services: Services
}

/** Each asks the database. @throws 403 */
export const requirements: Readonly<Record<Requirement, (asking: Asking) => Promise<void>>> = {
  admin: requireAdmin,
  'approved-creator': async ({ person, services }) => {
    if (!(await isApprovedCreator(services.database.service, person.profileId)))
      throw paymentErrors.approvedCreatorsOnly()
  },
  seller: async ({ person, services }) => {
    if (!(await mayPreparePlans(services.database.service, person.profileId)))
      throw paymentErrors.approvedCreatorsOnly()
  },
  tester: async (asking) => {
    if (asking.services.config.environment === 'production') await requireAdmin(asking)
  },
}

async function requireAdmin({ db }: Asking): Promise<void> {
  if (!(await isAdmin(db))) throw functionErrors.forbidden()
}
