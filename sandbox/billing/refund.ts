import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'
import { book } from './balance.ts'
import { reverseTransfer } from './transfer.ts'

type Charge = Kinds['charge']
type Refund = Kinds['refund']

export type NewRefund = {
  charge: Charge
  amount: number
  reason: NonNullable<Refund['reason']> | null
  metadata: Record<string, string>
  /** Take the creator's part back from the connected account. Without it the platform pays for the whole refund. */
  reverseTransfer: boolean
  /** Give the fee back to the connected account, in proportion. With `reverseTransfer` only, which is how the product does it. */
  refundFee: boolean
}

/** Gives money of a charge back to the card, at once, and takes it from whoever has it. */
export function refundCharge(context: Context, wanted: NewRefund): Refund {
  const { charge, amount } = wanted
  const id = newId('re')
  const left = charge.amount - charge.amount_refunded
  if (amount > left)
    throw errors.invalidParam(
      'amount',
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
    )
  const entry = book(context, { type: 'refund', amount: -amount, source: id, description: charge.description })
  if (wanted.reverseTransfer) {
    if (!charge.transfer) throw errors.state('Cannot reverse the transfer of a charge that has none.')
    const { refundFee } = wanted
    reverseTransfer(context, charge.transfer, { amount, refundFee, source: id, description: charge.description })
  }
  const refund = created(context, 'refund', 'refund.created', {
    id,
    object: 'refund',
    amount,
    balance_transaction: entry.id,
    charge: charge.id,
    created: context.now,
    currency: 'usd',
    customer: charge.customer,
    customer_account: null,
    metadata: wanted.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: wanted.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  })
  updated(context, 'charge', 'charge.refunded', {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  })
  return refund
}
