import type { Job, Jobs } from '../../jobs/index.ts'
import type { Payments } from '../payments.ts'
import { hasPaymentTasks, paymentTasksJob } from '../tasks/payment-tasks.ts'
import { fulfillEvent } from './fulfill-event.ts'
import { findForgottenEvents } from './stored-events.ts'

/** The job data that the webhook sends. */
export const stripeEventJob = { name: 'stripe-event' } as const

type EventJob = { readonly eventId: string }
type Parts = Payments & { readonly jobs: Jobs }

/** Fulfills one webhook event. */
export function buildEventJob(services: Parts): Job<EventJob> {
  return {
    ...stripeEventJob,
    // About three hours of retries: 2 s, 4 s, 8 s … then every half hour. An event that fails longer stays in pgboss.job, and its reason
    // with the event.
    queue: { policy: 'exclusive', retryLimit: 14, retryDelay: 2, retryBackoff: true, retryDelayMax: 1800 },
    concurrency: 2,
    run: async ({ eventId }) => {
      await fulfillEvent(services, eventId)
      if (await hasPaymentTasks(services)) await services.jobs.send(paymentTasksJob, {})
    },
  }
}

/** Requeues events whose job was lost between storing and sending. */
export async function sendForgottenEvents(services: Parts): Promise<void> {
  for (const eventId of await findForgottenEvents(services))
    await services.jobs.send(stripeEventJob, { eventId }, eventId)
}
