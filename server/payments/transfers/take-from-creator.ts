import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { isLost } from '../accounts/accounts.ts'
import { isDefiniteRefusal, keyAfter, patiently } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'

/** The creator has too little at Stripe. Nothing is wrong: the task is retried once money may have arrived. */
export class WantOfMoney extends Error {}

export function isWantOfMoney(error: unknown): boolean {
  return (
    error instanceof WantOfMoney ||
    (error instanceof Stripe.errors.StripeError && error.code === 'balance_insufficient')
  )
}

type Taking = {
  /** Cents of the transfer. */
  readonly amount: number
  /** The platform's fee of the transfer's charge: its share goes back to the creator. */
  readonly fee?: number
  readonly metadata: Readonly<Record<string, string>>
  readonly idempotencyKey: string
  readonly refusals: number
}

/**
 * Reverses a transfer. Stripe takes no more than the creator has there; the rest waits for their next earnings. If their account is
 * gone, what is left is the platform's loss, which admins see as a difference.
 * @param cause what the money is taken back for: the id of a dispute or refund.
 * @throws `isWantOfMoney` while part of it is left.
 */
export async function takeFromCreator(
  payments: Payments,
  transfer: Stripe.Transfer,
  cause: string,
  wanted: Taking,
): Promise<void> {
  const left = Math.min(wanted.amount, transfer.amount - transfer.amount_reversed)
  if (left <= 0) return
  const { fee = 0, metadata } = wanted
  // The key includes what was reversed before, which makes this another request.
  const key = keyAfter(`${wanted.idempotencyKey}:${transfer.amount_reversed}`, wanted.refusals)
  const reverse = (amount: number) =>
    patiently(() =>
      payments.stripe.api.transfers.createReversal(
        transfer.id,
        { amount, metadata, ...(fee > 0 && { refund_application_fee: true }) },
        { idempotencyKey: amount === left ? key : `${key}:${amount}` },
      ),
    )
  try {
    await reverse(left)
    return
  } catch (error) {
    if (!isWantOfMoney(error)) {
      const account = idOf(transfer.destination)
      if (!isDefiniteRefusal(error) || account === undefined || !(await isLost(payments, account))) throw error
      await noteLoss(payments, cause, Math.round((left * (transfer.amount - fee)) / transfer.amount))
      return
    }
  }
  const held = await heldBy(payments, transfer)
  // The creator gives up this fraction of a cent. Stripe rounds the fee, so that one cent more might be too much.
  const share = (transfer.amount - fee) / transfer.amount
  const part = Math.min(left, Math.floor(held / share) - 1)
  if (part > 0) await reverse(part)
  throw new WantOfMoney(
    `the creator has too little at Stripe: ${left - Math.max(part, 0)} of ${wanted.amount} cents wait`,
  )
}

/** The books have taken it from the creator, but the provider hasn't. */
async function noteLoss({ database, log }: Payments, cause: string, cents: number): Promise<void> {
  log.error({ cause, cents }, "a creator's part can't be taken back, as their account is gone")
  await database.service.rows(sql`select private.note_difference(${cause}, 'transfer', ${cents}, 0)`)
}

/** The creator's balance, in cents. A transfer from a charge can be taken back while its money is pending. */
async function heldBy({ stripe }: Payments, { destination, source_transaction: charge }: Stripe.Transfer) {
  const { available, pending } = await stripe.api.balance.retrieve({}, { stripeAccount: idOf(destination) ?? '' })
  const sum = (parts: readonly { amount: number; currency: string }[]) =>
    parts.reduce((cents, { amount, currency }) => (currency === 'usd' ? cents + amount : cents), 0)
  return sum(available) + (charge ? sum(pending) : 0)
}
