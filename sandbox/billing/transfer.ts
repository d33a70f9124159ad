import { type Context, onAccount } from '../context.ts'
import { errors } from '../http/errors.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'
import { book } from './balance.ts'

type Transfer = Kinds['transfer']

/** Money of the platform for a connected account: a line in each book. */
export function sendTransfer(
  context: Context,
  wanted: {
    amount: number
    destination: string
    description: string | null
    metadata: Record<string, string>
    group: string | null
  },
): Transfer {
  const { amount, destination, description, metadata, group } = wanted
  const id = newId('tr')
  const payment = newId('py')
  const entry = book(context, { type: 'transfer', amount: -amount, source: id, description })
  book(onAccount(context, destination), { type: 'payment', amount, source: payment, description })
  return created(context, 'transfer', 'transfer.created', {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: entry.id,
    created: context.now,
    currency: 'usd',
    description,
    destination,
    destination_payment: payment,
    livemode: false,
    metadata,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: null,
    source_type: 'card',
    transfer_group: group,
  })
}

/**
 * Takes a transfer back, in part or whole, and with it the fee in its proportion where that is wanted. What has gone back in all is
 * rounded, so that the last reversal ends even.
 */
export function reverseTransfer(
  context: Context,
  transferId: string,
  wanted: {
    amount: number
    refundFee: boolean
    source: string
    description: string | null
    metadata?: Record<string, string>
  },
): Kinds['transfer_reversal'] {
  const { amount, source, description, metadata = {} } = wanted
  const transfer = context.store.get('transfer', transferId)
  const left = transfer.amount - transfer.amount_reversed
  if (amount > left)
    throw errors.invalidParam('amount', `Reversal amount (${amount}) is greater than unreversed amount (${left})`)
  const feeBack = wanted.refundFee ? refundFee(context, transfer, amount) : 0
  const entry = book(context, { type: 'transfer_refund', amount, source: transfer.id, description })
  book(onAccount(context, transfer.destination ?? ''), {
    type: 'payment_refund',
    amount: -amount,
    ...(feeBack > 0 && { fee: { amount: -feeBack, description: 'Application fee', type: 'application_fee' } }),
    source,
    description,
  })
  const reversal = context.store.insert('transfer_reversal', context.account, {
    id: newId('trr'),
    object: 'transfer_reversal',
    amount,
    balance_transaction: entry.id,
    created: context.now,
    currency: 'usd',
    destination_payment_refund: null,
    metadata,
    source_refund: source.startsWith('re_') ? source : null,
    transfer: transfer.id,
  })
  const reversed = transfer.amount_reversed + amount
  updated(context, 'transfer', 'transfer.reversed', {
    ...transfer,
    amount_reversed: reversed,
    reversed: reversed === transfer.amount,
  })
  return reversal
}

function refundFee(context: Context, transfer: Transfer, amount: number): number {
  const charge = transfer.source_transaction ? context.store.get('charge', transfer.source_transaction) : undefined
  if (!charge?.application_fee) return 0
  const fee = context.store.get('application_fee', charge.application_fee)
  const back = Math.round((fee.amount * (transfer.amount_reversed + amount)) / charge.amount) - fee.amount_refunded
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
