import { functionErrors } from './errors.ts'
import { deleteAccountRows } from './queries.ts'
import { runPostCommitJobs } from './run-post-commit-jobs.ts'
import type { Services } from './services.ts'

/**
 * Ends an account (D6). The remaining work at the payment provider (subscriptions of both sides, the customer) and on disk is
 * queued in the same transaction and done by jobs, so a provider that is down delays nobody, and nothing is forgotten.
 * @param actorId the user who decided it, auth.users.id.
 * @throws 404 if there is no such account.
 */
export async function deleteAccount(services: Services, userId: string, actorId: string): Promise<void> {
  if (!(await deleteAccountRows(services.database.service, userId, actorId))) throw functionErrors.userNotFound()
  await runPostCommitJobs(services)
}
