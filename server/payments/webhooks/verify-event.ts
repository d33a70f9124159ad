import Stripe from 'stripe'
import { errors } from '../../http/errors.ts'
import { paymentErrors } from '../errors.ts'
import type { StripeService } from '../stripe.ts'

/** How old a signature may be, so that a recorded request can't be replayed later. */
const toleranceSeconds = 300

/**
 * Reads a webhook's event.
 * @param body the exact bytes, because the signature covers them.
 * @throws GatewayError 400 `bad_signature` unless one of our secrets signed the body recently; 400 `bad_json` if it isn't an event.
 */
export async function verifyEvent(
  { webhookSecrets }: Pick<StripeService, 'webhookSecrets'>,
  body: unknown,
  signature: unknown,
): Promise<Stripe.Event> {
  if (typeof body !== 'string' || typeof signature !== 'string')
    throw paymentErrors.badSignature("The event isn't signed")
  for (const secret of webhookSecrets) {
    try {
      return await Stripe.webhooks.constructEventAsync(body, signature, secret, toleranceSeconds)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError))
        throw errors.malformedBody('The body must be a JSON object')
    }
  }
  throw paymentErrors.badSignature("The signature doesn't match or is too old")
}
