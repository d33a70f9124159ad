import { paymentErrors } from '../payments/errors.ts'
import { refundPayment as refund } from '../payments/refunds/refund-payment.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { text, uuid } from './fields.ts'
import { findRefundablePayment, findRefundRequest, readRefundedPayment } from './queries.ts'
import { runPostCommitJobs } from './run-post-commit-jobs.ts'

/**
 * `refund-payment` {transactionId, reason} → {success, transaction: {id, status, refunded_amount}} (API-FN-15, D40): the creator who was
 * paid, or an admin, refunds all that is left of a payment.
 */
export const refundPayment = defineFunction({
  name: 'refund-payment',
  fields: { transactionId: uuid({ label: 'The payment' }), reason: text({ label: 'The reason', max: 500 }) },
  run: async ({ person, input: { transactionId, reason }, db, services }) => {
    const { service } = services.database
    const request = await findRefundRequest(db, transactionId)
    const payment = await findRefundablePayment(service, transactionId)
    if (!request || !payment) throw paymentErrors.paymentNotFound()
    if (!request.mayRefund) throw functionErrors.forbidden()
    if (!payment.isRefundable) throw paymentErrors.notRefundable()
    if (payment.status === 'refunded') throw paymentErrors.alreadyRefunded()
    await refund(services, payment.cause, reason, request.isOwn ? undefined : person.userId)
    await runPostCommitJobs(services) // a refunded subscription is ended at the provider
    return { success: true, transaction: await readRefundedPayment(service, transactionId) }
  },
})
