import { functionErrors } from './errors.ts'
import { deleteAccountRows } from './queries.ts'
import { runPostCommitJobs } from './run-post-commit-jobs.ts'
import type { Services } from './services.ts'

/**
 * Ends an account (D6). What must also happen at the payment provider (subscriptions of both sides, the customer) and on the disk is
 * written in the same transaction and done by jobs: a provider that is down holds nobody here, and is not forgotten.
 * @param actorId who decided, auth.users.id.
 * @throws 404 when there is no such account.
 */
export async function deleteAccount(services: Services, userId: string, actorId: string): Promise<void> {
  if (!(await deleteAccountRows(services.database.service, userId, actorId))) throw functionErrors.userNotFound()
  await runPostCommitJobs(services)
}
