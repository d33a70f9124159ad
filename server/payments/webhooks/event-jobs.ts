import type { Job, Jobs } from '../../jobs/index.ts'
import type { Payments } from '../payments.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { hasPaymentTasks } from '../tasks/payment-tasks.ts'
import { payReferrals } from '../transfers/referral-transfers.ts'
import { findForgottenEvents } from './events.ts'
import { fulfillEvent } from './fulfill-event.ts'

/** What the webhook leaves to be done. */
export const stripeEventJob = { name: 'stripe-event' } as const

/** Wishes to the provider; post-commit-jobs.ts carries them out. */
export const paymentTasksJob = { name: 'payment-tasks' } as const

/** Stripe delivers for three days; a night that was missed is caught up with. */
const reconciledDays = 7

type EventJob = { readonly eventId: string }

/** Fulfilment of webhook events, and the search for those whose job was lost between storing and sending. */
export function addEventJobs(jobs: Jobs, payments: Payments): void {
  jobs.add({
    ...stripeEventJob,
    // Some three hours of patience: 2 s, 4 s, 8 s … then each half hour. What fails for longer stays in pgboss.job, and its reason
    // with the event.
    queue: { policy: 'exclusive', retryLimit: 14, retryDelay: 2, retryBackoff: true, retryDelayMax: 1800 },
    concurrency: 2,
    run: async ({ eventId }) => {
      await fulfillEvent(payments, eventId)
      if (await hasPaymentTasks(payments)) await jobs.send(paymentTasksJob, {})
    },
  } satisfies Job<EventJob>)
  jobs.add({
    name: 'referral-transfers',
    queue: { policy: 'exclusive', retryLimit: 5, retryDelay: 30, retryBackoff: true },
    schedule: { cron: '*/10 * * * *', data: {} },
    run: () => payReferrals(payments),
  })
  jobs.add({
    name: 'reconcile-payments',
    queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 600 },
    schedule: { cron: '17 4 * * *', data: {} },
    run: async () => void (await reconcile(payments, reconciledDays)),
  })
  jobs.add({
    name: 'stripe-events-forgotten',
    queue: { policy: 'exclusive', retryLimit: 0 },
    schedule: { cron: '*/5 * * * *', data: {} },
    run: async () => {
      for (const eventId of await findForgottenEvents(payments)) await jobs.send(stripeEventJob, { eventId }, eventId)
    },
  })
}
