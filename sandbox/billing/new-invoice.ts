import type { Context } from '../context.ts'
import { listOf } from '../http/paging.ts'
import { newId } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { couponOf, offOf } from './discount.ts'

type Invoice = Kinds['invoice']
type Subscription = Kinds['subscription']

export type InvoiceReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming'
export type InvoiceLine = Invoice['lines']['data'][number]
/** What a bill holds beside its items, or in their place. */
export type BillParts = { prorations?: InvoiceLine[]; withItems?: boolean }
/** Unix seconds; the end is the beginning of the next. */
export type Period = { start: number; end: number }

/** A draft for a period of a subscription, one line for each of its items. */
export function newInvoice(
  context: Context,
  subscription: Subscription,
  reason: InvoiceReason,
  period: Period,
  ended: Period,
  { prorations = [], withItems = true }: BillParts = {},
): Invoice {
  const id = newId('in')
  const customer = context.store.get('customer', subscription.customer)
  const items = withItems ? subscription.items.data.map((item) => lineOf(context, id, subscription, item, period)) : []
  const lines = [...prorations.map((line) => ({ ...line, invoice: id })), ...items]
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0)
  const coupon = couponOf(context, subscription)
  const [discount] = subscription.discounts
  const billed = items.reduce((sum, line) => sum + line.amount, 0)
  const off = coupon ? offOf(coupon, billed) : 0
  const total = subtotal - off
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: context.merchant,
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: context.now,
    currency: 'usd',
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [...subscription.discounts],
    due_date: null,
    effective_at: null,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf(`/v1/invoices/${id}/lines`, lines),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    // The invoice carries the period that has ended; its lines carry the one that is paid for.
    period_end: ended.end,
    period_start: ended.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total,
    total_discount_amounts: discount && off > 0 ? [{ amount: off, discount }] : [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  }
}

/** A part of a period that is credited (a negative amount) or charged because the price has changed within it. */
export function prorationLine(
  context: Context,
  subscription: Subscription,
  item: Subscription['items']['data'][number],
  period: Period,
  amount: number,
): InvoiceLine {
  const line = lineOf(context, '', subscription, item, period)
  const { name } = context.store.get('product', item.price.product)
  const since = new Date(period.start * 1000).toUTCString().slice(5, 16)
  return {
    ...line,
    amount,
    description: `${amount < 0 ? 'Unused' : 'Remaining'} time on ${name} after ${since}`,
    discountable: false,
    parent: line.parent && {
      ...line.parent,
      subscription_item_details: line.parent.subscription_item_details && {
        ...line.parent.subscription_item_details,
        proration: true,
      },
    },
    subtotal: amount,
  }
}

function lineOf(
  context: Context,
  invoice: string,
  subscription: Subscription,
  item: Subscription['items']['data'][number],
  period: Period,
): Invoice['lines']['data'][number] {
  const quantity = item.quantity ?? 1
  const trial = subscription.trial_end !== null && period.end <= subscription.trial_end
  const unit = trial ? 0 : (item.price.unit_amount ?? 0)
  const { name } = context.store.get('product', item.price.product)
  return {
    id: newId('il'),
    object: 'line_item',
    amount: unit * quantity,
    currency: 'usd',
    description: trial
      ? `Trial period for ${name}`
      : `${quantity} × ${name} (at ${dollars(unit)} / ${item.price.recurring?.interval})`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details',
      unit_amount_decimal: String(unit),
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription: subscription.id,
    subtotal: unit * quantity,
    taxes: [],
  }
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`
