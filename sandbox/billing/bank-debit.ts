import type { Context } from '../context.ts'
import type { Kinds } from '../store/kinds.ts'
import { emit } from '../webhooks/emit.ts'
import { captureCharge, failCharge } from './charge.ts'
import { failInvoice, invoiceOf, settleInvoice } from './invoice.ts'
import { settleSubscription } from './subscription.ts'
import type { Decline } from './test-cards.ts'

type Intent = Kinds['payment_intent']
type PaymentMethod = Kinds['payment_method']

const debitFailed: Decline = {
  code: 'bank_account_declined',
  message: 'The customer’s bank account could not be debited.',
}

/** The clock: the bank has answered. */
export function endDebit(context: Context, intent: Intent): void {
  context.store.schedule(intent.id, null)
  if (intent.status !== 'processing' || !intent.payment_method) return
  const method = context.store.get('payment_method', intent.payment_method)
  const paid = context.store.hidden('payment_method', method.id).behaviour.debit === 'pays'
  const ended = paid ? succeed(context, intent, method) : fail(context, intent, method)
  tellInvoice(context, ended, paid)
  tellSession(context, ended, paid)
}

function succeed(context: Context, intent: Intent, method: PaymentMethod): Intent {
  const charge = captureCharge(context, intent, method)
  const paid = context.store.save<'payment_intent'>({
    ...intent,
    amount_received: intent.amount,
    latest_charge: charge.id,
    status: 'succeeded',
    transfer_group: charge.transfer_group,
  })
  emit(context, 'payment_intent.succeeded', paid)
  return paid
}

function fail(context: Context, intent: Intent, method: PaymentMethod): Intent {
  const charge = failCharge(context, intent, method, debitFailed)
  const { code, message } = debitFailed
  const failed = context.store.save<'payment_intent'>({
    ...intent,
    last_payment_error: { charge: charge.id, code, message, type: 'invalid_request_error' },
    latest_charge: charge.id,
    payment_method: null,
    status: 'requires_payment_method',
  })
  emit(context, 'payment_intent.payment_failed', failed)
  return failed
}

function tellSession(context: Context, intent: Intent, paid: boolean): void {
  const session = sessionOf(context, intent)
  if (!session) return
  const told = paid ? context.store.save<'checkout.session'>({ ...session, payment_status: 'paid' }) : session
  emit(context, `checkout.session.async_payment_${paid ? 'succeeded' : 'failed'}`, told)
}

/** The session names its intent, or the invoice that the intent pays. */
function sessionOf(context: Context, intent: Intent): Kinds['checkout.session'] | undefined {
  const find = (where: Record<string, string>) =>
    context.store.list('checkout.session', { account: '', where, limit: 1 }).data[0]
  const invoice = invoiceOf(context, intent.id)
  return invoice ? find({ invoice: invoice.id }) : find({ payment_intent: intent.id })
}

/** Marks the invoice of an intent as paid or failed, and its subscription with it. */
export function tellInvoice(context: Context, intent: Intent, paid: boolean): void {
  const invoice = invoiceOf(context, intent.id)
  const id = invoice?.parent?.subscription_details?.subscription
  if (!invoice || !id) return
  if (paid) settleInvoice(context, invoice, intent)
  else failInvoice(context, invoice)
  settleSubscription(context, context.store.get('subscription', id), invoice.id, paid ? 'active' : 'past_due')
}
