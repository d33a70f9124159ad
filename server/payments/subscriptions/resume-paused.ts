import { sql } from '../../postgres/sql.ts'
import { askOnce } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'

/**
 * A fan's pause is over at Stripe: the next period begins and is charged, unless another process is doing it. If the card is declined, the
 * subscription is past due, and the fan is reminded as at any renewal. Stripe's events bring the payment.
 */
export async function resumePaused(payments: Payments, id: string, stripeId: string): Promise<void> {
  if (!(await claimResume(payments, id))) return
  try {
    await endIfPaid(payments, id, await beginPaidPeriod(payments, stripeId))
  } finally {
    await releaseResume(payments, id)
  }
}

/** The present invoice of a subscription, and whether it has paid for the present period. */
type Begun = { readonly invoiceId: string; readonly isPaid: boolean }

/**
 * Begins a period today that is charged, in place of one that a pause has made free. The key includes the void invoice, so that only one
 * period follows it, however often this runs.
 * @param refuses nothing changes if the card is declined; otherwise, the subscription is past due.
 */
export async function beginPaidPeriod(
  payments: Payments,
  stripeId: string,
  refuses = false,
): Promise<Begun | undefined> {
  const { subscriptions, invoices } = payments.stripe.api
  const known = await subscriptions.retrieve(stripeId)
  const lastId = idOf(known.latest_invoice)
  if (known.status !== 'active' || known.pause_collection || lastId === undefined) return undefined
  const last = await invoices.retrieve(lastId)
  if (last.status !== 'void' && last.status !== 'uncollectible')
    return { invoiceId: last.id, isPaid: last.status === 'paid' }
  const begun = await askOnce(`resume:${stripeId}:${last.id}:${refuses}`, (idempotencyKey) =>
    subscriptions.update(
      stripeId,
      {
        billing_cycle_anchor: { type: 'now' },
        proration_behavior: 'none',
        ...(refuses && { payment_behavior: 'error_if_incomplete' }),
      },
      { idempotencyKey },
    ),
  )
  const invoiceId = idOf(begun.latest_invoice)
  return invoiceId === undefined ? undefined : { invoiceId, isPaid: begun.status === 'active' }
}

/** One process ends a pause at a time: a second one would find the void invoice, too. */
export async function claimResume({ database }: Payments, id: string): Promise<boolean> {
  const [claimed] = await database.service.rows<{ done: boolean }>(sql`select private.claim_resume(${id}) as done`)
  return claimed?.done === true
}

export const endIfPaid = async ({ database }: Payments, id: string, begun: Begun | undefined): Promise<unknown> =>
  begun?.isPaid && database.service.rows(sql`select private.end_pause(${id})`)

export const releaseResume = ({ database }: Payments, id: string): Promise<unknown> =>
  database.service.rows(sql`
    update private.stripe_subscriptions set resume_claimed_until = null where subscription_id = ${id}`)
