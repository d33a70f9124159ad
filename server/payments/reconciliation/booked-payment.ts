import { sql } from '../../postgres/sql.ts'
import { recordPayment } from '../checkout/record-payment.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'
import { recordInvoice } from '../subscriptions/record-invoice.ts'

/**
 * transactions.id of a payment intent, or of the invoice that it paid. If its event hasn't arrived yet, it is booked first. Undefined if
 * it isn't ours.
 */
export async function bookedPayment(payments: Payments, intentId: string): Promise<string | undefined> {
  const single = await recordPayment(payments, intentId)
  if (single !== undefined) return single
  const { data } = await payments.stripe.api.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intentId },
    limit: 1,
  })
  const invoiceId = idOf(data[0]?.invoice)
  if (invoiceId === undefined) return undefined
  await recordInvoice(payments, invoiceId)
  const [booked] = await payments.database.service.rows<{ id: string | null }>(sql`
    select private.transaction_by_cause(${invoiceId}) as id`)
  return booked?.id ?? undefined
}
