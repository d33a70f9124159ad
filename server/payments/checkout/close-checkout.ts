import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { refundPayment } from '../refunds/refund-payment.ts'
import { idOf } from '../stripe-values.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'
import { type CheckoutStatus, fulfillCheckout } from './fulfill-checkout.ts'

/** Closes a checkout page. Paid in this very moment, it can not be closed; then what it paid for is taken over. */
export async function closeCheckout(payments: Payments, sessionId: string): Promise<CheckoutStatus> {
  await payments.stripe.api.checkout.sessions.expire(sessionId).catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  })
  return (await fulfillCheckout(payments, sessionId)).status
}

/**
 * Closes a page whose fan, creator or plan has left. Where it was paid all the same, and the two no longer deal with each other, what was
 * paid goes back and nothing of it runs on.
 * @throws while the provider is at work on a payment.
 */
export async function abandonCheckout(payments: Payments, sessionId: string, reason: string): Promise<void> {
  const status = await closeCheckout(payments, sessionId)
  if (status === 'open' || status === 'pending') throw new Error(`checkout session ${sessionId} can not be closed yet`)
  if (status === 'complete' && !(await isWanted(payments, sessionId))) await giveBack(payments, sessionId, reason)
}

/** A row that is gone went with its fan or its creator. A plan that was withdrawn is honoured: its creator still sells. */
async function isWanted({ database }: Payments, sessionId: string): Promise<boolean> {
  const [wanted] = await database.service.rows(sql`
    select from private.checkout_sessions c where c.id = ${sessionId} and not private.are_blocked(c.profile_id, c.creator_id)`)
  return wanted !== undefined
}

async function giveBack(payments: Payments, sessionId: string, reason: string): Promise<void> {
  const { api } = payments.stripe
  const session = await api.checkout.sessions.retrieve(sessionId)
  const subscriptionId = idOf(session.subscription)
  if (subscriptionId !== undefined) {
    await api.subscriptions.cancel(subscriptionId).catch((error: unknown) => {
      // Ended already, with its customer or by an earlier attempt of this.
      if (!(error instanceof Stripe.errors.StripeError && error.code === 'resource_missing')) throw error
    })
    await syncSubscription(payments, subscriptionId)
  }
  for (const cause of await paidWith(payments, session)) await refundPayment(payments, cause, reason)
}

/** All that was paid on a page, and for what it began: where nobody noticed for long, that is more than the first bill. */
async function paidWith({ stripe }: Payments, session: Stripe.Checkout.Session): Promise<string[]> {
  const intentId = idOf(session.payment_intent)
  if (intentId !== undefined) return session.payment_status === 'paid' ? [intentId] : []
  const subscription = idOf(session.subscription)
  if (subscription === undefined) return []
  const paid: string[] = []
  for await (const invoice of stripe.api.invoices.list({ subscription, status: 'paid', limit: 100 }))
    if (invoice.amount_paid > 0) paid.push(invoice.id)
  return paid
}
