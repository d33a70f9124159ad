import type { Context } from '../context.ts'
import { errors } from '../http/errors.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, emit, updated } from '../webhooks/emit.ts'
import { availableWith, book } from './balance.ts'
import { closeInquiries } from './dispute.ts'
import { settleWarnings } from './fraud-warning.ts'
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

const hour = 3600
const day = 24 * hour

/** Refunds money of a charge to the card at once, and takes it from the account that holds it. */
export function refundCharge(context: Context, wanted: NewRefund): Refund {
  const { charge, amount } = wanted
  const id = newId('re')
  const left = charge.amount - charge.amount_refunded
  if (amount > left)
    throw errors.invalidParam(
      'amount',
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
    )
  const behaviour = behaviourOf(context, charge)
  settleWarnings(context, charge.id)
  const entry = book(context, {
    type: 'refund',
    amount: -amount,
    source: id,
    description: charge.description,
    availableOn: availableWith(context, charge.balance_transaction),
  })
  const reversal = wanted.reverseTransfer ? takeBack(context, wanted, id) : null
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
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: wanted.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: wanted.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: behaviour === 'pending' ? 'pending' : 'succeeded',
    ...(behaviour === 'pending' && { pending_reason: 'processing' as const }),
    transfer_reversal: reversal?.id ?? null,
  })
  updated(context, 'charge', 'charge.refunded', {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  })
  if (behaviour) context.store.schedule(id, context.now + (behaviour === 'pending' ? hour : day))
  if (amount === left) closeInquiries(context, charge.id)
  return refund
}

const behaviourOf = ({ store }: Context, { payment_method: method }: Charge) =>
  method ? store.hidden('payment_method', method).behaviour.refund : undefined

/** What the clock does with a refund of a card for tests: one that was pending has arrived, another fails. */
export function wakeRefund(context: Context, refund: Refund): void {
  context.store.schedule(refund.id, null)
  if (refund.status === 'pending') {
    const { pending_reason: _, ...arrived } = refund
    const saved = updated(context, 'refund', 'refund.updated', { ...arrived, status: 'succeeded' })
    emit(context, 'charge.refund.updated', saved)
  } else failRefund(context, refund)
}

/** The buyer's bank has sent a refund back: the money is the platform's again, and a transfer that was reversed stays so. */
export function failRefund(context: Context, refund: Refund): Refund {
  if (refund.status === 'failed' || !refund.charge) throw errors.state('This refund cannot fail any more.')
  const charge = context.store.get('charge', refund.charge)
  const entry = book(context, {
    type: 'refund_failure',
    amount: refund.amount,
    source: refund.id,
    description: 'REFUND FAILURE',
  })
  context.store.save<'charge'>({
    ...charge,
    amount_refunded: charge.amount_refunded - refund.amount,
    refunded: false,
  })
  const failed = updated(context, 'refund', 'refund.updated', {
    ...refund,
    failure_balance_transaction: entry.id,
    failure_reason: 'expired_or_canceled_card',
    status: 'failed',
  })
  emit(context, 'charge.refund.updated', failed)
  emit(context, 'refund.failed', failed)
  return failed
}

function takeBack(context: Context, { charge, amount, refundFee }: NewRefund, refund: string) {
  if (!charge.transfer) throw errors.state('Cannot reverse the transfer of a charge that has none.')
  return reverseTransfer(context, charge.transfer, { amount, refundFee, refund, description: charge.description })
}
