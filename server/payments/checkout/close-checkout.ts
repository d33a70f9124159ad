import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { refundPayment } from '../refunds/refund-payment.ts'
import { idOf } from '../stripe-values.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'
import { type CheckoutStatus, fulfillCheckout } from './fulfill-checkout.ts'

/** Closes a checkout page. If it was paid at this very moment, it can't be closed, and its payment is recorded instead. */
export async function closeCheckout(payments: Payments, sessionId: string): Promise<CheckoutStatus> {
  await payments.stripe.api.checkout.sessions.expire(sessionId).catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  })
  return (await fulfillCheckout(payments, sessionId)).status
}

/**
 * Closes a page whose fan, creator, or plan is gone. If it was paid anyway and the two no longer deal with each other, the payment is
 * refunded and nothing keeps running.
 * @throws while the provider is processing a payment.
 */
export async function abandonCheckout(payments: Payments, sessionId: string, reason: string): Promise<void> {
  const status = await closeCheckout(payments, sessionId)
  if (status === 'open' || status === 'pending') throw new Error(`checkout session ${sessionId} can't be closed yet`)
  if (status === 'complete' && !(await isWanted(payments, sessionId))) await giveBack(payments, sessionId, reason)
}

/** A row disappears with its fan or its creator. A payment for a deactivated plan is honored: its creator still sells. */
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
      // Already ended, with its customer or by an earlier attempt.
      if (!(error instanceof Stripe.errors.StripeError && error.code === 'resource_missing')) throw error
    })
    await syncSubscription(payments, subscriptionId)
  }
  for (const cause of await paidWith(payments, session)) await refundPayment(payments, cause, reason)
}

/** All payments of the page and what they started: if it went unnoticed for long, that is more than the first bill. */
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
