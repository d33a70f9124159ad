import type { Context } from '../context.ts'
import { newId, randomDigits, randomText } from '../store/ids.ts'
import type { Kinds } from '../store/kinds.ts'
import { emit, updated } from '../webhooks/emit.ts'
import { feeOf } from './fee.ts'
import { type BillParts, type InvoiceReason, newInvoice, type Period } from './new-invoice.ts'
import { createIntent, type NewPayment, type Presence, payIntent } from './payment.ts'
import { authenticationRequired, type Decline, noCard } from './test-cards.ts'

type Invoice = Kinds['invoice']
type Intent = Kinds['payment_intent']
type Subscription = Kinds['subscription']

const day = 86_400
/** Pauses before the second, third and fourth attempt; after the last the subscription ends. */
const retryAfterDays = [3, 5, 7]

/** Writes the bill for a period and finalizes it at once. The parameters are those of `draftInvoice`. */
export const openInvoice = (...about: Parameters<typeof draftInvoice>): Invoice =>
  finalizeInvoice(about[0], draftInvoice(...about))

/**
 * Writes the bill for a period as a draft, which asks for nothing yet.
 * @param ended the period that the bill follows; at a renewal it is the one before.
 */
export function draftInvoice(
  context: Context,
  subscription: Subscription,
  reason: InvoiceReason,
  period: Period,
  ended: Period = period,
  parts: BillParts = {},
): Invoice {
  const draft = newInvoice(context, subscription, reason, period, ended, parts)
  context.store.insert('invoice', context.account, draft)
  const destination = subscription.transfer_data?.destination
  context.store.setHidden('invoice', draft.id, { form_token: randomText(32), ...(destination && { destination }) })
  emit(context, 'invoice.created', draft)
  return draft
}

/** From here on it is to be paid: it has a number and a page of its own. */
export function finalizeInvoice(context: Context, draft: Invoice): Invoice {
  const page = `${context.pagesUrl}/invoice/${draft.id}`
  const open: Invoice = {
    ...draft,
    automatically_finalizes_at: null,
    effective_at: context.now,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: nextNumber(context, draft.customer ?? ''),
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: context.now },
  }
  context.store.save<'invoice'>(open)
  emit(context, 'invoice.finalized', open)
  return open
}

export type InvoiceOutcome = { paid: true } | { paid: false; decline: Decline }

/** Tries to collect an open invoice with the subscription's card. A bill of nothing is paid without a charge. */
export function collectInvoice(
  context: Context,
  invoice: Invoice,
  subscription: Subscription,
  presence: Presence,
): InvoiceOutcome {
  if (invoice.amount_remaining === 0) {
    settleInvoice(context, invoice, null)
    return { paid: true }
  }
  const intent = requestPayment(context, invoice, subscription)
  const method = cardOf(context, subscription)
  if (!method) {
    failInvoice(context, invoice)
    return { paid: false, decline: noCard }
  }
  const outcome = payIntent(context, intent, method, presence)
  if (outcome.status === 'succeeded') {
    settleInvoice(context, invoice, outcome.intent)
    return { paid: true }
  }
  if (outcome.status === 'processing') return { paid: true } // the bank answers in days; the subscription runs meanwhile
  const decline = outcome.status === 'requires_action' ? authenticationRequired : outcome.decline
  const failed = failInvoice(context, invoice)
  if (decline.code === 'authentication_required') emit(context, 'invoice.payment_action_required', failed)
  return { paid: false, decline }
}

/** The intent that pays an invoice: made once, and the same at each attempt. */
export function requestPayment(context: Context, invoice: Invoice, subscription: Subscription): Intent {
  const intent = intentOf(context, invoice) ?? createIntent(context, paymentFor(context, invoice, subscription))
  linkIntent(context, invoice, intent)
  return intent
}

/** What a subscription is paid with: its own card, else the one that its customer prefers. */
export const cardOf = (context: Context, subscription: Subscription): string | null =>
  subscription.default_payment_method ??
  context.store.get('customer', subscription.customer).invoice_settings.default_payment_method

/** The payment that an invoice asks for: its amount, the platform's fee and the creator's account, which stays that of its draft. */
function paymentFor(
  context: Context,
  invoice: { id: string; amount_due: number },
  subscription: Pick<Subscription, 'application_fee_percent' | 'customer'>,
): NewPayment {
  const percent = subscription.application_fee_percent
  const { destination } = context.store.hidden('invoice', invoice.id)
  return {
    amount: invoice.amount_due,
    customer: subscription.customer,
    description: 'Subscription update',
    ...(percent && { applicationFee: feeOf(invoice.amount_due, percent) }),
    ...(destination && { destination }),
    receiptEmail: context.store.get('customer', subscription.customer).email,
    saveCard: true,
  }
}

/** Marks an invoice as paid, by a payment or because nothing was due. */
export function settleInvoice(context: Context, invoice: Invoice, intent: Intent | null): Invoice {
  if (intent) {
    linkIntent(context, invoice, intent)
    const payment = paymentOf(context, invoice)
    if (payment)
      context.store.save<'invoice_payment'>({
        ...payment,
        amount_paid: intent.amount,
        status: 'paid',
        status_transitions: { ...payment.status_transitions, paid_at: context.now },
      })
  }
  const paid = context.store.save<'invoice'>({
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + (intent ? 1 : 0),
    attempted: true,
    next_payment_attempt: null,
    receipt_number: intent ? receiptNumber() : null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: context.now },
  })
  context.store.schedule(paid.id, null)
  emit(context, 'invoice.paid', paid)
  emit(context, 'invoice.payment_succeeded', paid)
  return paid
}

export function failInvoice(context: Context, invoice: Invoice): Invoice {
  const attempts = invoice.attempt_count + 1
  const pause = retryAfterDays[attempts - 1]
  const failed = context.store.save<'invoice'>({
    ...invoice,
    attempt_count: attempts,
    attempted: true,
    next_payment_attempt: pause ? context.now + pause * day : null,
  })
  context.store.schedule(failed.id, failed.next_payment_attempt)
  emit(context, 'invoice.payment_failed', failed)
  return failed
}

/** `1234-5678`, as receipts are numbered. */
const receiptNumber = (): string => `${randomDigits(4)}-${randomDigits(4)}`

/** Gives up on an unpaid invoice, because its subscription has ended. */
export function voidInvoice(context: Context, invoice: Invoice): void {
  context.store.schedule(invoice.id, null)
  updated(context, 'invoice', 'invoice.voided', {
    ...invoice,
    next_payment_attempt: null,
    status: 'void',
    status_transitions: { ...invoice.status_transitions, voided_at: context.now },
  })
}

const paymentOf = (context: Context, invoice: Invoice) =>
  context.store.list('invoice_payment', { account: context.account, where: { invoice: invoice.id }, limit: 1 }).data[0]

/** The invoice that a payment intent pays. */
export function invoiceOf(context: Context, intent: string): Invoice | undefined {
  const where = { 'payment.payment_intent': intent }
  const [payment] = context.store.list('invoice_payment', { account: context.account, where, limit: 1 }).data
  return payment && context.store.get('invoice', payment.invoice)
}

function intentOf(context: Context, invoice: Invoice): Intent | undefined {
  const id = paymentOf(context, invoice)?.payment.payment_intent
  return id ? context.store.get('payment_intent', id) : undefined
}

/** Notes which payment intent pays an invoice, once. */
export function linkIntent(context: Context, invoice: Invoice, intent: Intent): void {
  if (paymentOf(context, invoice)) return
  context.store.insert('invoice_payment', context.account, {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: context.now,
    currency: 'usd',
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
}

/** `ABCD1234-0001`: the customer's prefix and a number of its own. */
function nextNumber(context: Context, customerId: string): string {
  const customer = context.store.get('customer', customerId)
  const sequence = customer.next_invoice_sequence ?? 1
  context.store.save<'customer'>({ ...customer, next_invoice_sequence: sequence + 1 })
  return `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`
}
