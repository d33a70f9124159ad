import { readPayment } from '../payments/checkout/read-payment.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { optionalText, optionalUuid } from './fields.ts'

/**
 * `verify-payment` {sessionId | targetId: posts.id, messages.id, session_bookings.id, or the id of a gift} → {status, kind, targetId, amountCents,
 * hasAccess, refund} (POST-45, PROF-21, MSG-08, PRIV-03): called by the page to which the fan returns. It grants nothing: only Stripe's response does.
 */
export const verifyPayment = defineFunction({
  name: 'verify-payment',
  fields: {
    sessionId: optionalText({ label: 'The checkout', max: 255 }),
    targetId: optionalUuid({ label: 'What was paid for' }),
  },
  run: async ({ person, input, db, services }) => {
    if (input.sessionId === null && input.targetId === null) {
      throw functionErrors.invalidField('sessionId', 'sessionId is missing')
    }
    return readPayment(services, db, person.profileId, input)
  },
})
