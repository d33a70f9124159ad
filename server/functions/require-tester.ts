import type { Services } from '../services.ts'
import { functionErrors } from './errors.ts'
import type { Person } from './person.ts'

/** Who may try the integration out: admins, and outside production every signed-in person (D42). @throws 403 for others. */
export function requireTester({ config }: Pick<Services, 'config'>, person: Person): void {
  if (config.environment === 'production' && !person.isAdmin) throw functionErrors.forbidden()
}
