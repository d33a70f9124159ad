import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { type OwnSubscription, requireRenewable, requireRunning } from './own-subscription.ts'
import { readConfirmation } from './read-confirmation.ts'
import { recordInvoice } from './record-invoice.ts'
import { beginPaidPeriod, claimResume, endIfPaid, releaseResume } from './resume-paused.ts'
import { setPauseNow } from './set-pause.ts'
import { syncSubscription } from './sync-subscription.ts'

/**
 * Pauses a fan's subscription for 1 to 3 months from the end of its paid period (OFFER-10).
 * @throws 409 where there is nothing to pause, or the creator offers no pauses.
 */
export async function pauseSubscription(payments: Payments, own: OwnSubscription, months: number): Promise<void> {
  await requireRenewable(payments, own)
  await requireRunning(payments, own)
  // Our record may be old, and the pause begins at the end of its period.
  await syncSubscription(payments, own.stripeId)
  await payments.database.service.rows(sql`select private.pause_subscription(${own.id}, ${months})`)
  await setPauseNow(payments, own.id)
  await syncSubscription(payments, own.stripeId)
}

/**
 * Ends a fan's pause now. Before it begins, that costs nothing; afterwards, a period begins today and is charged, and nothing changes if
 * the card is declined.
 * @returns the page on which the fan confirms with their bank; undefined once the subscription is active.
 * @throws 402 if the card was declined, 409 for a subscription that isn't paused or mustn't be charged.
 */
export async function endPause(payments: Payments, own: OwnSubscription): Promise<{ url: string } | undefined> {
  await requireRenewable(payments, own)
  await requireRunning(payments, own)
  const [undone] = await payments.database.service.rows<{ done: boolean }>(sql`
    select private.undo_pause(${own.id}) as done`)
  if (undone?.done) {
    await setPauseNow(payments, own.id)
    await syncSubscription(payments, own.stripeId)
    return undefined
  }
  await syncSubscription(payments, own.stripeId)
  return chargeAndEnd(payments, own)
}

async function chargeAndEnd(payments: Payments, own: OwnSubscription): Promise<{ url: string } | undefined> {
  const { subscriptions } = payments.stripe.api
  if (!(await claimResume(payments, own.id))) return settled(payments, own)
  const { pause_collection: pause } = await subscriptions.retrieve(own.stripeId)
  if (pause) await subscriptions.update(own.stripeId, { pause_collection: '' })
  try {
    const begun = await beginPaidPeriod(payments, own.stripeId, true)
    await endIfPaid(payments, own.id, begun)
    // The webhook brings the same result, but the fan needn't wait for it.
    if (begun) await recordInvoice(payments, begun.invoiceId)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
    // The bank wants the fan to confirm: the period begins, and access comes with the payment.
    if (error.code === 'authentication_required') await beginPaidPeriod(payments, own.stripeId)
    else {
      if (pause)
        await subscriptions.update(own.stripeId, {
          pause_collection: {
            behavior: pause.behavior,
            ...(pause.resumes_at !== null && { resumes_at: pause.resumes_at }),
          },
        })
      throw paymentErrors.cardDeclined(error)
    }
  } finally {
    await releaseResume(payments, own.id)
    await syncSubscription(payments, own.stripeId)
  }
  return settled(payments, own)
}

/** The bank's page, if the fan has to confirm there. @throws 409 while another request is charging the subscription. */
async function settled(payments: Payments, own: OwnSubscription): Promise<{ url: string } | undefined> {
  const [present] = await payments.database.service.rows<{ status: string; isPaused: boolean }>(sql`
    select status, paused_from is not null as "isPaused" from public.subscriptions where id = ${own.id}`)
  if (!present?.isPaused) return undefined
  const confirmation = await readConfirmation(payments, await requireRunning(payments, own))
  if (confirmation?.bankAsks) return { url: confirmation.url }
  if (present.status === 'past_due') throw paymentErrors.cardDeclined(undefined)
  throw paymentErrors.paymentPending()
}
