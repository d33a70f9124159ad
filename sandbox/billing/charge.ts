import { type Context, onAccount } from '../context.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { created, emit } from '../webhooks/emit.ts'
import { book, type Fee, settlesOn } from './balance.ts'
import { debitFeeOf, processingFeeOf } from './fee.ts'
import { newCharge } from './new-charge.ts'
import type { Decline } from './test-cards.ts'

type Charge = Kinds['charge']
type Intent = Kinds['payment_intent']
type PaymentMethod = Kinds['payment_method']

/** Takes the money: the charge, its line in the books, and the creator's share when there is a destination. */
export function captureCharge(context: Context, intent: Intent, method: PaymentMethod): Charge {
  const { behaviour } = context.store.hidden('payment_method', method.id)
  const charge = newCharge(context, intent, method, behaviour.risk)
  const availableOn = behaviour.availableAtOnce ? context.now : settlesOn(context)
  const entry = book(context, {
    type: 'charge',
    amount: intent.amount,
    ...(context.truth.processingFees && { fee: processingFee(intent.amount, method) }),
    source: charge.id,
    description: intent.description,
    availableOn,
  })
  charge.balance_transaction = entry.id
  context.store.insert('charge', context.account, charge)
  if (intent.transfer_data) moveToDestination(context, charge, intent.transfer_data.destination, availableOn)
  emit(context, 'charge.succeeded', charge)
  return charge
}

const processingFee = (amount: number, { card }: PaymentMethod): Fee => ({
  amount: card ? processingFeeOf(amount, card.country ?? 'US') : debitFeeOf(amount),
  description: 'Stripe processing fees',
  type: 'stripe_fee',
})

/** Keeps a refused attempt, as Stripe does, so that its reason can be read later. */
export function failCharge(context: Context, intent: Intent, method: PaymentMethod, decline: Decline): Charge {
  const { isBlocked, risk } = context.store.hidden('payment_method', method.id).behaviour
  return created(context, 'charge', 'charge.failed', {
    ...newCharge(context, intent, method),
    amount_captured: 0,
    captured: false,
    failure_code: decline.code,
    failure_message: decline.message,
    outcome: {
      advice_code: isBlocked ? null : 'try_again_later',
      network_advice_code: null,
      network_decline_code: isBlocked ? null : '01',
      network_status: isBlocked ? 'not_sent_to_network' : 'declined_by_network',
      reason: isBlocked ? 'highest_risk_level' : (decline.declineCode ?? null),
      risk_level: risk ?? 'normal',
      seller_message: isBlocked
        ? 'Stripe blocked this payment as too risky.'
        : 'The bank did not return any further details with this decline.',
      type: isBlocked ? 'blocked' : 'issuer_declined',
    },
    paid: false,
    receipt_url: null,
    status: 'failed',
  })
}

/**
 * A destination charge: the whole amount goes to the connected account, and the fee comes back from there.
 * Four lines in two books, so that both can be summed on their own.
 */
function moveToDestination(context: Context, charge: Charge, destination: string, availableOn: number): void {
  const there = onAccount(context, destination)
  const fee = charge.application_fee_amount ?? 0
  const payment = destinationPayment(context, charge, fee)
  const transfer = newTransfer(context, charge, destination, payment.id)
  transfer.balance_transaction = book(context, {
    type: 'transfer',
    amount: -charge.amount,
    source: transfer.id,
    description: charge.description,
    availableOn,
  }).id
  payment.source_transfer = transfer.id
  payment.balance_transaction = book(there, {
    type: 'payment',
    amount: charge.amount,
    ...(fee > 0 && { fee: { amount: fee, description: 'Application fee', type: 'application_fee' } }),
    source: payment.id,
    description: charge.description,
    availableOn,
  }).id
  if (fee > 0) {
    const collected = collectFee(context, charge, payment, { account: destination, amount: fee, availableOn })
    payment.application_fee = collected
    charge.application_fee = collected
  }
  charge.transfer = transfer.id
  context.store.insert('charge', destination, payment)
  context.store.save<'charge'>(charge)
  created(context, 'transfer', 'transfer.created', transfer)
}

function collectFee(
  context: Context,
  charge: Charge,
  payment: Charge,
  { account, amount, availableOn }: { account: string; amount: number; availableOn: number },
): string {
  const id = newId('fee')
  const { description } = charge
  const entry = book(context, { type: 'application_fee', amount, source: id, description, availableOn })
  created(context, 'application_fee', 'application_fee.created', {
    id,
    object: 'application_fee',
    account,
    amount,
    amount_refunded: 0,
    application: clientId,
    balance_transaction: entry.id,
    charge: payment.id,
    created: context.now,
    currency: 'usd',
    fee_source: { charge: payment.id, type: 'charge' },
    livemode: false,
    originating_transaction: charge.id,
    refunded: false,
    refunds: { object: 'list', data: [], has_more: false, url: `/v1/application_fees/${id}/refunds` },
  })
  return id
}

/** The platform, as an application that connected accounts have let in. */
export const clientId = 'ca_sandbox'

/** What the connected account sees of the charge: a payment that came by transfer. */
const destinationPayment = (context: Context, charge: Charge, fee: number): Charge => ({
  ...charge,
  id: newId('py'),
  application: clientId,
  application_fee_amount: fee > 0 ? fee : null,
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  created: context.now,
  customer: null,
  metadata: {},
  outcome: null,
  payment_intent: null,
  payment_method: null,
  payment_method_details: { stripe_account: {}, type: 'stripe_account' },
  receipt_email: null,
  receipt_url: null,
  transfer_data: null,
})

function newTransfer(context: Context, charge: Charge, destination: string, payment: string): Kinds['transfer'] {
  const id = newId('tr')
  return {
    id,
    object: 'transfer',
    amount: charge.amount,
    amount_reversed: 0,
    balance_transaction: null,
    created: context.now,
    currency: 'usd',
    description: null,
    destination,
    destination_payment: payment,
    livemode: false,
    metadata: {},
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: charge.id,
    source_type: 'card',
    transfer_group: charge.transfer_group,
  }
}
