import { paymentTasksJob } from '../payments/tasks/payment-tasks.ts'
import { storageRemovalsJob } from '../storage/remove-deleted.ts'
import type { Services } from './services.ts'

/** Runs now the external work that a committed transaction has queued. The schedule runs it too, in case this call is lost. */
export async function runPostCommitJobs({ jobs }: Pick<Services, 'jobs'>): Promise<void> {
  await jobs.send(paymentTasksJob, {})
  await jobs.send(storageRemovalsJob, {})
}
