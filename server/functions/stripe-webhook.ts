import type { FastifyPluginAsync } from 'fastify'
import Stripe from 'stripe'
import type { ApiOptions } from '../http/api.ts'
import type { StripeService } from '../payments/stripe.ts'
import { stripeEventJob } from '../payments/webhooks/event-job.ts'
import { isHandled } from '../payments/webhooks/fulfill-event.ts'
import { storeEvent } from '../payments/webhooks/stored-events.ts'
import { functionErrors } from './errors.ts'
import type { Services } from './services.ts'

/** Events contain whole objects; Stripe's largest are far smaller. */
const bodyLimitBytes = 1024 * 1024
/** How old a signature may be, so that a recorded request can't be replayed later. */
const toleranceSeconds = 300

/**
 * `POST /functions/v1/stripe-webhook`: receives an event, and nothing more. It verifies the event, stores it once, and responds; a job
 * fulfills it. Any status but 200 makes Stripe deliver it again, so errors are returned only if the event hasn't been stored.
 */
export const stripeWebhookRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  app.post('/stripe-webhook', { bodyLimit: bodyLimitBytes }, async (request) => {
    const event = await verify(services.stripe, request.body, request.headers['stripe-signature'])
    const { pending } = await storeEvent(services, event, { fulfill: isHandled(event.type) })
    if (pending) await services.jobs.send(stripeEventJob, { eventId: event.id }, event.id)
    return { received: true }
  })
}

/** @throws 400 unless one of our secrets signed exactly these bytes recently. */
async function verify({ webhookSecrets }: StripeService, body: unknown, signature: unknown): Promise<Stripe.Event> {
  if (typeof body !== 'string' || typeof signature !== 'string')
    throw functionErrors.badSignature("The event isn't signed")
  for (const secret of webhookSecrets) {
    try {
      return await Stripe.webhooks.constructEventAsync(body, signature, secret, toleranceSeconds)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw functionErrors.bodyNotJson()
    }
  }
  throw functionErrors.badSignature("The signature doesn't match or is too old")
}
