import type Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'

/** Marks a card that was saved on purpose: purchases may offer it, and they use the newest first. */
export async function keepSavedCard({ stripe }: Payments, session: Stripe.Checkout.Session): Promise<void> {
  const intentId = idOf(session.setup_intent)
  const customerId = idOf(session.customer)
  if (intentId === undefined || customerId === undefined) return
  const methodId = idOf((await stripe.api.setupIntents.retrieve(intentId)).payment_method)
  if (methodId === undefined) return
  const method = await stripe.api.paymentMethods.retrieve(methodId)
  if (idOf(method.customer) !== customerId || method.allow_redisplay === 'always') return // removed again, or already marked
  await stripe.api.paymentMethods.update(methodId, { allow_redisplay: 'always' })
  await stripe.api.customers.update(customerId, { invoice_settings: { default_payment_method: methodId } })
}
