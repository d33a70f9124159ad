import type Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'

/** An invoice of a subscription that waits for payment on its own page. */
export type Confirmation = {
  readonly invoiceId: string
  readonly url: string
  /** The new price and how long it stays pending; undefined for a renewal. */
  readonly change: { readonly priceId: string; readonly expiresAt: Date } | undefined
  /** Whether the bank requires the fan's confirmation. If not, the card was declined, and waiting for the bank is pointless. */
  readonly bankAsks: boolean
}

const unpaid: ReadonlySet<string> = new Set(['past_due', 'unpaid', 'incomplete'])

/** Reads from Stripe which invoice of a subscription waits for its fan. */
export async function readConfirmation(
  payments: Payments,
  { latest_invoice, pending_update: pending, status }: Stripe.Subscription,
): Promise<Confirmation | undefined> {
  const invoiceId = idOf(latest_invoice)
  if (invoiceId === undefined || (!pending && !unpaid.has(status))) return undefined
  const invoice = await payments.stripe.api.invoices.retrieve(invoiceId, { expand: ['payments'] })
  const { hosted_invoice_url: url } = invoice
  if (invoice.status !== 'open' || !url) return undefined
  const priceId = pending?.subscription_items?.[0]?.price.id
  const change = pending && priceId ? { priceId, expiresAt: new Date(pending.expires_at * 1000) } : undefined
  return { invoiceId, url, change, bankAsks: await doesBankAsk(payments, invoice) }
}

async function doesBankAsk({ stripe }: Payments, invoice: Stripe.Invoice): Promise<boolean> {
  for (const { payment } of invoice.payments?.data ?? []) {
    const intentId = idOf(payment.payment_intent)
    if (intentId === undefined) continue
    const { status, last_payment_error: error } = await stripe.api.paymentIntents.retrieve(intentId)
    if (status === 'requires_action' || error?.code === 'authentication_required') return true
    // The fan got the bank's question and didn't confirm; they still can.
    if (error?.code === 'payment_intent_authentication_failure') return true
  }
  return false
}
