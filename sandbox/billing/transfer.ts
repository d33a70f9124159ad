import { type Context, onAccount } from '../context.ts'
import { errors } from '../http/errors.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, updated } from '../webhooks/emit.ts'
import { availableWith, balanceOf, book } from './balance.ts'
import { clientId } from './charge.ts'
import { convert, currencyOf } from './currency.ts'

type Charge = Kinds['charge']
type Transfer = Kinds['transfer']

export type NewTransfer = {
  amount: number
  destination: string
  description: string | null
  metadata: Record<string, string>
  group: string | null
  /** The charge whose money is passed on: the transfer waits for it, and needs no balance. */
  source?: Charge
}

/**
 * Money of the platform for a connected account: a line in each book.
 * @throws 400 `balance_insufficient` when the platform has less available, or the charge that is named less left.
 */
export function sendTransfer(context: Context, wanted: NewTransfer): Transfer {
  const { amount, destination, description, metadata, source } = wanted
  if (source) requireLeftOf(context, source, amount)
  else if (context.truth.transferLimit && amount > balanceOf(context, '').available) throw errors.platformBalance()
  const id = newId('tr')
  const there = onAccount(context, destination)
  const availableOn = source ? availableWith(context, source.balance_transaction) : context.now
  const payment = transferPayment(context, amount, description)
  const entry = book(context, { type: 'transfer', amount: -amount, source: id, description, availableOn })
  const arrived = book(there, { type: 'payment', amount, source: payment.id, description, availableOn })
  context.store.insert('charge', destination, {
    ...payment,
    balance_transaction: arrived.id,
    source_transfer: id,
  })
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
    destination_payment: payment.id,
    livemode: false,
    metadata,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: source?.id ?? null,
    source_type: 'card',
    transfer_group: wanted.group ?? source?.transfer_group ?? null,
  })
}

function requireLeftOf(context: Context, source: Charge, amount: number): void {
  const passedOn = context.store
    .list('transfer', { account: context.account, where: { source_transaction: source.id }, limit: 100 })
    .data.reduce((sum, transfer) => sum + transfer.amount - transfer.amount_reversed, 0)
  const left = source.amount - passedOn
  if (amount > left)
    throw errors.state(
      `The transfer amount (${amount}) is greater than what is left of the source transaction (${left}).`,
      'balance_insufficient',
      'amount',
    )
}

/** What the connected account sees of a transfer. */
const transferPayment = (context: Context, amount: number, description: string | null): Charge => ({
  id: newId('py'),
  object: 'charge',
  amount,
  amount_captured: amount,
  amount_refunded: 0,
  application: clientId,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  calculated_statement_descriptor: null,
  captured: true,
  created: context.now,
  currency: 'usd',
  customer: null,
  description,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  outcome: null,
  paid: true,
  payment_intent: null,
  payment_method: null,
  payment_method_details: { stripe_account: {}, type: 'stripe_account' },
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'succeeded',
  transfer_data: null,
  transfer_group: null,
})

export type NewReversal = {
  amount: number
  refundFee: boolean
  /** The refund that it is part of: it then goes below what the connected account holds. */
  refund: string | null
  description: string | null
  metadata?: Record<string, string>
}

/**
 * Takes a transfer back, in part or whole, and with it the fee in its proportion where that is wanted. What has gone back in all is
 * rounded, so that the last reversal ends even.
 * @throws 400 `balance_insufficient` when the connected account holds less, unless a refund takes it.
 */
export function reverseTransfer(
  context: Context,
  transferId: string,
  { amount, refundFee: wantsFee, refund, description, metadata = {} }: NewReversal,
): Kinds['transfer_reversal'] {
  const transfer = context.store.get('transfer', transferId)
  const account = context.store.find('account', '', transfer.destination ?? '')
  if (!account || 'deleted' in account) throw errors.accountInvalid(transfer.destination ?? '')
  const left = transfer.amount - transfer.amount_reversed
  if (amount > left)
    throw errors.invalidParam('amount', `Reversal amount (${amount}) is greater than unreversed amount (${left})`)
  const availableOn = transfer.source_transaction ? availableWith(context, transfer.balance_transaction) : context.now
  const feeBack = wantsFee ? refundFee(context, transfer, amount, availableOn) : 0
  if (!refund) requireBalanceOf(context, transfer, amount - feeBack)
  const entry = book(context, { type: 'transfer_refund', amount, source: transfer.id, description, availableOn })
  const payback = refundPayment(context, transfer, { amount, feeBack, description, availableOn })
  const reversal = context.store.insert('transfer_reversal', context.account, {
    id: newId('trr'),
    object: 'transfer_reversal',
    amount,
    balance_transaction: entry.id,
    created: context.now,
    currency: 'usd',
    destination_payment_refund: payback,
    metadata,
    source_refund: refund,
    transfer: transfer.id,
  })
  const reversed = transfer.amount_reversed + amount
  const reversals = [reversal, ...transfer.reversals.data]
  updated(context, 'transfer', 'transfer.reversed', {
    ...transfer,
    amount_reversed: reversed,
    reversals: { ...transfer.reversals, data: reversals.slice(0, 10), has_more: reversals.length > 10 },
    reversed: reversed === transfer.amount,
  })
  return reversal
}

/** Money of a charge that is on its way counts; a transfer of the platform's own money needs what is available. */
function requireBalanceOf(context: Context, { destination, source_transaction }: Transfer, amount: number): void {
  if (!context.truth.reversalLimit) return
  const { available, pending } = balanceOf(context, destination ?? '')
  const { amount: own } = convert(amount, currencyOf(onAccount(context, destination ?? '')))
  if (own > available + (source_transaction ? pending : 0)) throw errors.destinationBalance()
}

type Payback = { amount: number; feeBack: number; description: string | null; availableOn: number }

/** What the connected account sees of it: a refund of the payment that came by transfer. */
function refundPayment(
  context: Context,
  { destination, destination_payment: id }: Transfer,
  { amount, feeBack, description, availableOn }: Payback,
): string | null {
  const there = onAccount(context, destination ?? '')
  const payment = id ? context.store.find('charge', there.account, id) : undefined
  const refund = newId('pyr')
  const entry = book(there, {
    type: 'payment_refund',
    amount: -amount,
    ...(feeBack > 0 && { fee: { amount: -feeBack, description: 'Application fee', type: 'application_fee' } }),
    source: refund,
    description,
    availableOn,
  })
  if (!payment) return null // made by an earlier version of the sandbox
  const refunded = payment.amount_refunded + amount
  context.store.save<'charge'>({ ...payment, amount_refunded: refunded, refunded: refunded === payment.amount })
  context.store.insert('refund', there.account, {
    id: refund,
    object: 'refund',
    amount,
    balance_transaction: entry.id,
    charge: payment.id,
    created: context.now,
    currency: 'usd',
    customer: null,
    customer_account: null,
    metadata: {},
    payment_intent: null,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  })
  return refund
}

function refundFee(context: Context, transfer: Transfer, amount: number, availableOn: number): number {
  const charge = transfer.source_transaction ? context.store.get('charge', transfer.source_transaction) : undefined
  if (!charge?.application_fee) return 0
  const fee = context.store.get('application_fee', charge.application_fee)
  const back = Math.round((fee.amount * (transfer.amount_reversed + amount)) / charge.amount) - fee.amount_refunded
  if (back === 0) return 0
  const { description } = charge
  book(context, { type: 'application_fee_refund', amount: -back, source: fee.id, description, availableOn })
  const refunded = fee.amount_refunded + back
  updated(context, 'application_fee', 'application_fee.refunded', {
    ...fee,
    amount_refunded: refunded,
    refunded: refunded === fee.amount,
  })
  return back
}
