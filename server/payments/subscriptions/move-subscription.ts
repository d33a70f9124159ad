import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { askOnce, patiently } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'

type Bill = { readonly id: string; readonly status: Stripe.Invoice['status'] }

/**
 * Sends a subscription's money to the creator's present account, if the one that it was sold with is gone and was replaced. An open bill
 * stays bound to the lost account and can't be paid: it is voided, and a renewal that it was for begins today.
 * @param renews false leaves a subscription that ends with its period as it is.
 * @returns the subscription as it is now.
 */
export async function moveSubscription(
  payments: Payments,
  known: Stripe.Subscription,
  renews = !known.cancel_at_period_end,
): Promise<Stripe.Subscription> {
  const { subscriptions } = payments.stripe.api
  const account = renews ? await accountFor(payments, known) : undefined
  if (account === undefined || !isElsewhere(known, account)) return known
  // In this order, a bill of this list is older than the move, even if another process makes it right now.
  const bills = await unpaidBills(payments, known.id)
  const subscription = await subscriptions.retrieve(known.id)
  if (!isElsewhere(subscription, account)) return subscription
  let isOwed = subscription.status === 'past_due'
  for (const bill of bills) if ((await moveBill(payments, bill, account)) === 'paid') isOwed = false
  const params: Stripe.SubscriptionUpdateParams = {
    transfer_data: { destination: account },
    ...(isOwed && { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' }),
  }
  // The key includes the last bill, so that two processes begin one period.
  const terms = JSON.stringify([known.id, subscription.transfer_data, subscription.latest_invoice, params])
  const key = createHash('sha256').update(terms).digest('hex')
  payments.log.info({ subscription: known.id, account }, "a subscription moves to its creator's new account")
  return askOnce(`move:${key}`, (idempotencyKey) => subscriptions.update(known.id, params, { idempotencyKey }))
}

/** The account that its creator can be paid with. */
async function accountFor(
  { database }: Payments,
  { metadata: { creator_id: creatorId } }: Stripe.Subscription,
): Promise<string | undefined> {
  if (!creatorId) return undefined
  const [creator] = await database.service.rows<{ account: string }>(sql`
    select stripe_account_id as account from private.profiles
    where id = ${creatorId} and stripe_account_id is not null and stripe_charges_enabled`)
  return creator?.account
}

const running: readonly Stripe.Subscription.Status[] = ['active', 'trialing', 'past_due', 'unpaid']

function isElsewhere({ status, transfer_data: transfer }: Stripe.Subscription, account: string): boolean {
  const destination = idOf(transfer?.destination)
  return running.includes(status) && destination !== undefined && destination !== account
}

async function unpaidBills({ stripe }: Payments, subscription: string): Promise<Bill[]> {
  const bills: Bill[] = []
  for (const status of ['draft', 'open'] as const)
    for await (const { id } of stripe.api.invoices.list({ subscription, status, limit: 100 }))
      bills.push({ id, status })
  return bills
}

/** A draft gets the new account; an open bill can only be voided. @returns its status afterwards. */
async function moveBill(payments: Payments, { id, status }: Bill, account: string): Promise<Stripe.Invoice['status']> {
  const { invoices } = payments.stripe.api
  try {
    const moved = await patiently(() =>
      status === 'draft' ? invoices.update(id, { transfer_data: { destination: account } }) : invoices.voidInvoice(id),
    )
    return moved.status
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    // Paid, finalized, or voided at this very moment.
    const present = await invoices.retrieve(id)
    if (present.status === status) throw error
    return present.status === 'open' ? moveBill(payments, { id, status: 'open' }, account) : present.status
  }
}
