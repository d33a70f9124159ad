import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { isLost } from '../accounts/accounts.ts'
import { paymentErrors } from '../errors.ts'
import { askOnce, isDefiniteRefusal } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'
import { recordRefunds } from './record-refunds.ts'

/**
 * Refunds the rest of a payment: the creator's part from the creator, the fee from the platform, which pays all of it if the creator's
 * account is gone. Access ends once Stripe has confirmed.
 * @param cause the payment's id in the ledger: a payment intent, or a subscription's invoice.
 * @param reason kept with the refund, for both parties.
 * @param adminId auth.users.id of an admin who requests it. Kept with the refund, so that any process that books it writes the audit log.
 * @throws 409 if nothing is left to refund.
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
    const refund = (params: Stripe.RefundCreateParams) => {
      const key = createHash('sha256')
        .update(JSON.stringify([charge.amount_refunded, params]))
        .digest('hex')
      return askOnce(`refund:${key}`, (idempotencyKey) =>
        payments.stripe.api.refunds.create(params, { idempotencyKey }),
      ).catch((error: unknown) => {
        // Someone else refunded it at this very moment: that refund is recorded.
        if (!(error instanceof Stripe.errors.StripeError && error.code === 'charge_already_refunded')) throw error
      })
    }
    const platformPays: Stripe.RefundCreateParams = { payment_intent: intentId, metadata }
    const creatorPays: Stripe.RefundCreateParams = {
      payment_intent: intentId,
      reverse_transfer: true,
      ...(charge.application_fee_amount !== null && { refund_application_fee: true }),
      metadata,
    }
    // After a dispute the transfer is another one: the books' task to take back the rest of it follows (take_back_rest).
    if (await cameBack(payments, charge)) await refund(platformPays)
    else
      await refund(creatorPays).catch(async (error: unknown) => {
        const account = idOf(charge.transfer_data?.destination)
        if (!isDefiniteRefusal(error) || account === undefined || !(await isLost(payments, account))) throw error
        payments.log.warn({ charge: charge.id, account }, 'the platform pays a refund, as the account is gone')
        await refund(platformPays)
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

/** Whether the bank has taken the money and returned it. */
async function cameBack({ stripe }: Payments, { id, disputed }: Stripe.Charge): Promise<boolean> {
  if (!disputed) return false
  const { data } = await stripe.api.disputes.list({ charge: id, limit: 100 })
  return data.some(({ status }) => status === 'won')
}
