import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { disableAccount, syncAccount } from '../accounts/accounts.ts'
import { fulfillCheckout } from '../checkout/fulfill-checkout.ts'
import { recordPayment } from '../checkout/record-payment.ts'
import { recordDispute } from '../disputes/record-dispute.ts'
import type { Payments } from '../payments.ts'
import { recordPayout } from '../payouts/record-payout.ts'
import { recordRefunds } from '../refunds/record-refunds.ts'
import { idOf } from '../stripe-values.ts'
import { recordInvoice } from '../subscriptions/record-invoice.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'
import { markFailed, markProcessed, readPendingEvent } from './stored-events.ts'

/**
 * Fulfills a stored event. An event only announces that something changed: each handler asks Stripe for the object as it is now, so
 * that a duplicate, late, or out-of-order event gives the same result. Types without a handler are only stored.
 * @throws the error, after storing it with the event, so that the job retries.
 */
export async function fulfillEvent(payments: Payments, eventId: string): Promise<void> {
  const event = await readPendingEvent(payments, eventId)
  if (!event) return
  try {
    if (matchesLivemode(payments, event)) await handle(payments, event)
    await markProcessed(payments, eventId)
  } catch (error) {
    await markFailed(payments, eventId, error)
    throw error
  }
}

/**
 * Stripe sends test events of connected accounts to live endpoints as well; they are ignored. And a creator who connected an account of
 * their own may sell elsewhere, so a connected account's events matter only to handlers that ask about the account itself.
 */
function matchesLivemode({ stripe }: Payments, event: Stripe.Event): boolean {
  const isPlatforms = event.account === undefined || ofConnectedAccounts.has(event.type)
  return isPlatforms && event.livemode === (stripe.mode === 'live')
}

const ofConnectedAccounts: ReadonlySet<string> = new Set<Stripe.Event['type']>([
  'account.updated',
  'account.application.deauthorized',
  'payout.paid',
  'payout.failed',
])

type Handler = (payments: Payments, event: Stripe.Event, objectId: string) => Promise<unknown>

const handlers = new Map<Stripe.Event['type'], Handler>([
  ['checkout.session.completed', (payments, _event, id) => fulfillCheckout(payments, id)],
  ['checkout.session.async_payment_succeeded', (payments, _event, id) => fulfillCheckout(payments, id)],
  ['checkout.session.async_payment_failed', (payments, _event, id) => fulfillCheckout(payments, id)],
  ['checkout.session.expired', (payments, _event, id) => fulfillCheckout(payments, id)],
  ['customer.subscription.created', (payments, _event, id) => syncSubscription(payments, id)],
  ['customer.subscription.updated', (payments, _event, id) => syncSubscription(payments, id)],
  ['customer.subscription.deleted', (payments, _event, id) => syncSubscription(payments, id)],
  // A switch that waited for the fan's bank: confirmed, or not in time.
  ['customer.subscription.pending_update_applied', (payments, _event, id) => syncSubscription(payments, id)],
  ['customer.subscription.pending_update_expired', (payments, _event, id) => syncSubscription(payments, id)],
  // Days before a renewal: the last chance to notice that it must not be charged. Such an invoice has no id yet.
  ['invoice.upcoming', (payments, event) => syncUpcoming(payments, event)],
  ['invoice.paid', (payments, _event, id) => recordInvoice(payments, id)],
  ['invoice.payment_succeeded', (payments, _event, id) => recordInvoice(payments, id)],
  ['invoice.payment_failed', (payments, event, id) => notifyOfFailedPayment(payments, event.id, id)],
  // The fan's bank requires confirmation; the details are read with the subscription.
  ['invoice.payment_action_required', (payments, _event, id) => recordInvoice(payments, id)],
  // A checkout reports it too; the first to arrive books it. Payments of invoices belong to the invoice.
  ['payment_intent.succeeded', (payments, _event, id) => recordPayment(payments, id)],
  ['charge.refunded', (payments, _event, id) => recordRefunds(payments, id)],
  // A pending refund succeeded, or a bank rejected it.
  ['refund.updated', (payments, event) => syncRefund(payments, event)],
  ['refund.failed', (payments, event) => syncRefund(payments, event)],
  ['charge.dispute.created', (payments, _event, id) => recordDispute(payments, id)],
  ['charge.dispute.updated', (payments, _event, id) => recordDispute(payments, id)],
  ['charge.dispute.funds_withdrawn', (payments, _event, id) => recordDispute(payments, id)],
  ['charge.dispute.funds_reinstated', (payments, _event, id) => recordDispute(payments, id)],
  ['charge.dispute.closed', (payments, _event, id) => recordDispute(payments, id)],
  ['payout.paid', (payments, event) => syncPayout(payments, event)],
  ['payout.failed', (payments, event) => syncPayout(payments, event)],
  ['account.updated', (payments, _event, id) => syncAccount(payments, id)],
  // The platform may not read this account any more; the event names it.
  ['account.application.deauthorized', async (payments, { account }) => account && disableAccount(payments, account)],
])

/** The events that an endpoint at Stripe must send (docs/stripe.md). */
export const handledTypes: readonly Stripe.Event['type'][] = [...handlers.keys()]

/** Whether events of this type have a handler. */
export function isHandled(type: string): boolean {
  return handlers.has(type as Stripe.Event['type'])
}

async function handle(payments: Payments, event: Stripe.Event): Promise<void> {
  const { id } = event.data.object as { id?: unknown }
  await handlers.get(event.type)?.(payments, event, String(id))
}

async function syncUpcoming(payments: Payments, event: Stripe.Event): Promise<void> {
  const { parent } = event.data.object as Stripe.Invoice
  const subscriptionId = idOf(parent?.subscription_details?.subscription)
  if (subscriptionId !== undefined) await syncSubscription(payments, subscriptionId)
}

async function syncPayout(payments: Payments, event: Stripe.Event): Promise<void> {
  const payout = event.data.object as Stripe.Payout
  await recordPayout(payments, event.account, payout.id, payout)
}

async function syncRefund(payments: Payments, event: Stripe.Event): Promise<void> {
  const chargeId = idOf((event.data.object as Stripe.Refund).charge)
  if (chargeId !== undefined) await recordRefunds(payments, chargeId)
}

/** Renewals fail while nobody watches. The fan is notified once per attempt; access has its grace period (SUB-16). */
async function notifyOfFailedPayment(payments: Payments, eventId: string, invoiceId: string): Promise<void> {
  const subscription = await recordInvoice(payments, invoiceId)
  if (!subscription) return
  // The notification and the mark are written in one statement, so that a job that is killed in between doesn't notify twice.
  await payments.database.service.rows(sql`
    with fulfilled as (
      update private.stripe_events set processed_at = now(), error = null where id = ${eventId} and processed_at is null
      returning id
    )
    select private.notify(${subscription.subscriberId}, 'payment',
      'Your payment to ' || private.name_of(c.id) || ' didn''t go through',
      case when private.renewal_block_reason(${subscription.subscriberId}, c.id) is not null
          then 'The creator can''t be paid right now. Your card is fine, and there is nothing you need to do.'
        when s.status = 'canceled' then 'Your subscription to ' || t.name || ' has ended.'
        else 'Update your card to keep your access to ' || t.name || '.' end,
      jsonb_build_object('profile_id', c.id, 'subscription_id', ${subscription.subscriptionId}::uuid))
    from fulfilled, private.profiles c, public.subscription_products t, public.subscriptions s
    where c.id = ${subscription.creatorId} and t.id = ${subscription.productId} and s.id = ${subscription.subscriptionId}
      -- A bank's question already has its notification, and a failed switch was shown to the fan who clicked the button.
      and s.status not in ('active', 'trial')
      and not exists (select from private.subscription_confirmations w where w.subscription_id = ${subscription.subscriptionId})`)
}
