import type { Context } from '../context.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'

/** A charge as it looks when the card said yes. */
export const newCharge = (
  context: Context,
  intent: Kinds['payment_intent'],
  method: Kinds['payment_method'],
  risk: 'elevated' | 'highest' | 'normal' = 'normal',
): Kinds['charge'] => ({
  id: newId('ch'),
  object: 'charge',
  amount: intent.amount,
  amount_captured: intent.amount,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: intent.application_fee_amount,
  balance_transaction: null,
  billing_details: method.billing_details,
  calculated_statement_descriptor: `SANDBOX${intent.statement_descriptor_suffix ? `* ${intent.statement_descriptor_suffix}` : ''}`,
  captured: true,
  created: context.now,
  currency: 'usd',
  customer: intent.customer,
  description: intent.description,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  metadata: intent.metadata,
  on_behalf_of: intent.on_behalf_of,
  outcome: {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: 'approved_by_network',
    reason: null,
    risk_level: risk,
    seller_message: 'Payment complete.',
    type: 'authorized',
  },
  paid: true,
  payment_intent: intent.id,
  payment_method: method.id,
  payment_method_details: method.us_bank_account ? debitDetails(method) : cardDetails(intent, method),
  receipt_email: intent.receipt_email,
  receipt_number: null,
  receipt_url: `${context.pagesUrl}/receipts/${randomText(32)}`,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: intent.statement_descriptor_suffix,
  status: 'succeeded',
  transfer_data: intent.transfer_data
    ? { amount: intent.transfer_data.amount ?? null, destination: intent.transfer_data.destination }
    : null,
  transfer_group: intent.transfer_group ?? (intent.transfer_data ? `group_${intent.id}` : null),
})

type Details = NonNullable<Kinds['charge']['payment_method_details']>

const cardDetails = (intent: Kinds['payment_intent'], method: Kinds['payment_method']): Details => ({
  card: {
    amount_authorized: intent.amount,
    authorization_code: null,
    brand: method.card?.brand ?? null,
    checks: method.card?.checks ?? null,
    country: method.card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: method.card?.exp_month ?? 0,
    exp_year: method.card?.exp_year ?? 0,
    funding: method.card?.funding ?? null,
    installments: null,
    last4: method.card?.last4 ?? null,
    mandate: null,
    network: method.card?.brand ?? null,
    network_transaction_id: null,
    transaction_link_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    wallet: null,
  },
  type: 'card',
})

const debitDetails = ({ us_bank_account: account }: Kinds['payment_method']): Details => ({
  type: 'us_bank_account',
  us_bank_account: {
    account_holder_type: account?.account_holder_type ?? null,
    account_type: account?.account_type ?? null,
    bank_name: account?.bank_name ?? null,
    fingerprint: null,
    last4: account?.last4 ?? null,
    payment_reference: null,
    routing_number: account?.routing_number ?? null,
  },
})
