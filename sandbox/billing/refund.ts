import { type Context, onAccount } from '../context.ts'
import { errors } from '../http/errors.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'
import { book } from './balance.ts'

type Charge = Kinds['charge']
type Refund = Kinds['refund']

export type NewRefund = {
  charge: Charge
  amount: number
  reason: NonNullable<Refund['reason']> | null
  metadata: Record<string, string>
  /** Take the creator's part back from the connected account. Without it the platform pays for the whole refund. */
  reverseTransfer: boolean
  /** Give the fee back to the connected account, in proportion. */
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
  const feeBack = wanted.refundFee ? refundFee(context, charge, amount) : 0
  if (wanted.reverseTransfer) reverseTransfer(context, charge, amount, feeBack, id)
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

/** The fee goes back in proportion; what has gone back in all is rounded, so that the last refund ends even. */
function refundFee(context: Context, charge: Charge, amount: number): number {
  if (!charge.application_fee) return 0
  const fee = context.store.get('application_fee', charge.application_fee)
  const back = Math.round((fee.amount * (charge.amount_refunded + amount)) / charge.amount) - fee.amount_refunded
  if (back === 0) return 0
  book(context, { type: 'application_fee_refund', amount: -back, source: fee.id, description: charge.description })
  const refunded = fee.amount_refunded + back
  updated(context, 'application_fee', 'application_fee.refunded', {
    ...fee,
    amount_refunded: refunded,
    refunded: refunded === fee.amount,
  })
  return back
}

function reverseTransfer(context: Context, charge: Charge, amount: number, feeBack: number, refund: string): void {
  if (!charge.transfer) throw errors.state('Cannot reverse the transfer of a charge that has none.')
  const transfer = context.store.get('transfer', charge.transfer)
  book(context, { type: 'transfer_refund', amount, source: transfer.id, description: charge.description })
  book(onAccount(context, transfer.destination ?? ''), {
    type: 'payment_refund',
    amount: -amount,
    ...(feeBack > 0 && { fee: { amount: -feeBack, description: 'Application fee', type: 'application_fee' } }),
    source: refund,
    description: charge.description,
  })
  const reversed = transfer.amount_reversed + amount
  updated(context, 'transfer', 'transfer.reversed', {
    ...transfer,
    amount_reversed: reversed,
    reversed: reversed === transfer.amount,
  })
}
