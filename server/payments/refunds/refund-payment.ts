import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { paymentErrors } from '../errors.ts'
import { askOnce } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'
import { recordRefunds } from './record-refunds.ts'

/**
 * Gives back all that is left of a payment: the creator's part from the creator, the fee from the platform. What it opened is closed
 * once Stripe has said yes.
 * @param cause what the ledger knows the payment by: a payment intent, or a subscription's invoice.
 * @param reason kept with the refund, for its parties.
 * @param adminId auth.users.id of an admin who asks for it: kept with the refund too, so that whoever books it writes the audit log.
 * @throws 409 when there is nothing to give back.
 */
export async function refundPayment(
  payments: Payments,
  cause: string,
  reason: string,
  adminId?: string,
): Promise<void> {
  const intentId = await intentOf(payments, cause)
  const intent = await payments.stripe.api.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  if (!charge) throw paymentErrors.notRefundable()
  if (!charge.refunded) {
    const metadata = { reason, ...(adminId !== undefined && { admin_id: adminId }) }
    const params: Stripe.RefundCreateParams = {
      payment_intent: intentId,
      // After a dispute the transfer is another: a task to take back what is left of it follows (take_back_rest).
      ...(!(await cameBack(payments, charge)) && {
        reverse_transfer: true,
        ...(charge.application_fee_amount !== null && { refund_application_fee: true }),
      }),
      metadata,
    }
    const key = createHash('sha256')
      .update(JSON.stringify([charge.amount_refunded, params]))
      .digest('hex')
    await askOnce(`refund:${key}`, (idempotencyKey) =>
      payments.stripe.api.refunds.create(params, { idempotencyKey }),
    ).catch((error: unknown) => {
      // Refunded by another hand in this very moment: then that refund is taken over.
      if (!(error instanceof Stripe.errors.StripeError && error.code === 'charge_already_refunded')) throw error
    })
  }
  await recordRefunds(payments, charge.id)
}

async function intentOf({ stripe }: Payments, cause: string): Promise<string> {
  if (cause.startsWith('pi_')) return cause
  const { payments } = await stripe.api.invoices.retrieve(cause, { expand: ['payments'] })
  const intentId = idOf(payments?.data.find(({ status }) => status === 'paid')?.payment.payment_intent)
  if (intentId === undefined) throw paymentErrors.notRefundable()
  return intentId
}

/** Whether the bank has taken the money and given it back. */
async function cameBack({ stripe }: Payments, { id, disputed }: Stripe.Charge): Promise<boolean> {
  if (!disputed) return false
  const { data } = await stripe.api.disputes.list({ charge: id, limit: 100 })
  return data.some(({ status }) => status === 'won')
}
