import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../http/api.ts'
import { stripeEventJob } from '../payments/webhooks/event-job.ts'
import { isHandled } from '../payments/webhooks/fulfill-event.ts'
import { storeEvent } from '../payments/webhooks/stored-events.ts'
import { verifyEvent } from '../payments/webhooks/verify-event.ts'
import type { Services } from './services.ts'

/** Events contain whole objects; Stripe's largest are far smaller. */
const bodyLimitBytes = 1024 * 1024

/**
 * `POST /functions/v1/stripe-webhook`: receives an event, and nothing more. It verifies the event, stores it once, and responds; a job
 * fulfills it. Any status but 200 makes Stripe deliver it again, so errors are returned only if the event hasn't been stored.
 */
export const stripeWebhookRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  app.post('/stripe-webhook', { bodyLimit: bodyLimitBytes }, async (request) => {
    const event = await verifyEvent(services.stripe, request.body, request.headers['stripe-signature'])
    const { pending } = await storeEvent(services, event, { fulfill: isHandled(event.type) })
    if (pending) await services.jobs.send(stripeEventJob, { eventId: event.id }, event.id)
    return { received: true }
  })
}
