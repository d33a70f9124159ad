import { paymentErrors } from '../payments/errors.ts'
import { refundPayment as refund } from '../payments/refunds/refund-payment.ts'
import { runPostCommitJobs } from '../post-commit-jobs.ts'
import { sql } from '../postgres/sql.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { text, uuid } from './fields.ts'

type Payment = {
  readonly to_user_id: string | null
  readonly status: string
  readonly transaction_type: string
  readonly cause: string
  /** It is between the banks, or the fan's has kept it. What was won is the creator's to give back again. */
  readonly disputed: boolean
}
const refundable = ['subscription', 'ppv', 'tip', 'paid_message', 'private_session']

/**
 * `refund-payment` {transactionId, reason} → {success, transaction: {id, status, refunded_amount}} (API-FN-15, D40): all that is left of a
 * payment goes back to the fan, by the creator who was paid or by an admin.
 */
export const refundPayment = defineFunction({
  name: 'refund-payment',
  fields: { transactionId: uuid({ label: 'The payment' }), reason: text({ label: 'The reason', max: 500 }) },
  run: async ({ person, input: { transactionId, reason }, db, services }) => {
    const { service } = services.database
    // Seen by its parties and admins alone; for all others there is no such payment.
    const [visible] = await db.rows(sql`select id from public.transactions where id = ${transactionId}`)
    const [payment] = await service.rows<Payment>(sql`
      select t.to_user_id, t.status, t.transaction_type, l.cause,
        exists (select from private.payment_disputes d where d.transaction_id = t.id and d.status <> 'won') as disputed
      from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id
      where t.id = ${transactionId}`)
    if (!visible || !payment) throw paymentErrors.paymentNotFound()
    const isOwn = payment.to_user_id === person.profileId
    if (!person.isAdmin && !isOwn) throw functionErrors.forbidden()
    if (!refundable.includes(payment.transaction_type) || payment.disputed) throw paymentErrors.notRefundable()
    if (payment.status === 'refunded') throw paymentErrors.alreadyRefunded()
    await refund(services, payment.cause, reason, isOwn ? undefined : person.userId)
    await runPostCommitJobs(services) // a refunded subscription is ended at the provider
    const [transaction] = await service.rows<{ status: string }>(sql`
      select id, status, refunded_amount from public.transactions where id = ${transactionId}`)
    return { success: true, transaction }
  },
})
