import { randomUUID } from 'node:crypto'
import { reconcile } from '../payments/reconciliation/reconcile.ts'
import { sql } from '../postgres/sql.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { optionalInteger } from './fields.ts'

/**
 * `reconcile-payments` {days? (7)} → {success, since, charges, healed, differences}: compares the books with the payment provider now, for
 * admins. The same runs each night. What was lost on the way is booked; what differs is told, and stays until it does not.
 * The audit log has a line before and one after.
 */
export const reconcilePayments = defineFunction({
  name: 'reconcile-payments',
  fields: { days: optionalInteger({ label: 'The number of days', min: 1, max: 90 }) },
  run: async ({ person, input, services }) => {
    if (!person.isAdmin) throw functionErrors.forbidden()
    const days = input.days ?? 7
    // It takes minutes and asks others: that it was begun stands in the log whatever becomes of it.
    const run = randomUUID()
    const { service } = services.database
    const record = (after: object) =>
      service.rows(sql`
        select private.write_audit('reconcile_payments', 'payment_differences', ${run}, null, ${JSON.stringify(after)}::jsonb,
          jsonb_build_object('days', ${days}::int), ${person.userId})`)
    await record({ state: 'begun' })
    const outcome = await reconcile(services, days)
    const { charges, healed, differences } = outcome
    await record({ state: 'done', charges, healed, differences: differences.length })
    return { success: true, ...outcome }
  },
})
