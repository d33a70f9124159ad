import { sendPaymentEmails } from './payments/emails/payment-emails.ts'
import { carryOutPaymentTasks } from './payments/tasks/payment-tasks.ts'
import { paymentTasksJob } from './payments/webhooks/event-jobs.ts'
import { publishDuePosts } from './scheduled-posts/publish-due-posts.ts'
import type { Services } from './services.ts'
import { removeDeletedFiles } from './storage/remove-deleted.ts'

const storageRemovalsJob = { name: 'storage-removals' } as const

/** What a transaction has left to be done outside the database. Each also runs by the clock, for wishes whose call was lost. */
export function addPostCommitJobs(services: Services): void {
  const { jobs, database, store } = services
  jobs.add({
    ...paymentTasksJob,
    queue: { policy: 'exclusive', retryLimit: 5, retryDelay: 5, retryBackoff: true },
    schedule: { cron: '* * * * *', data: {} },
    run: () => carryOutPaymentTasks(services),
  })
  jobs.add({
    name: 'payment-letters',
    queue: { policy: 'exclusive', retryLimit: 3, retryDelay: 60 },
    schedule: { cron: '* * * * *', data: {} },
    run: () => sendPaymentEmails(services),
  })
  jobs.add({
    name: 'scheduled-posts',
    queue: { policy: 'exclusive', retryLimit: 3, retryDelay: 10 },
    schedule: { cron: '* * * * *', data: {} },
    run: () => publishDuePosts(services),
  })
  jobs.add({
    ...storageRemovalsJob,
    queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 30 },
    schedule: { cron: '*/5 * * * *', data: {} },
    run: async () => void (await removeDeletedFiles(database.service, store)),
  })
}

/** Has it done now rather than by the clock. */
export async function runPostCommitJobs({ jobs }: Pick<Services, 'jobs'>): Promise<void> {
  await jobs.send(paymentTasksJob, {})
  await jobs.send(storageRemovalsJob, {})
}
