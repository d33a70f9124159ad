import { reconcile } from '../payments/reconcile.ts'
import { sql } from '../postgres/sql.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { optionalInteger } from './fields.ts'

/**
 * `reconcile-payments` {days? (7)} → {success, since, charges, healed, differences}: compares the books with the payment provider now, for
 * admins. The same runs each night. What was lost on the way is booked; what differs is told, and stays until it does not.
 */
export const reconcilePayments = defineFunction({
  name: 'reconcile-payments',
  fields: { days: optionalInteger({ label: 'The number of days', min: 1, max: 90 }) },
  run: async ({ person, input, services }) => {
    if (!person.isAdmin) throw functionErrors.forbidden()
    const outcome = await reconcile(services, input.days ?? 7)
    await services.database.service.rows(sql`
      select private.write_audit('reconcile_payments', 'payment_differences', gen_random_uuid(), null,
        jsonb_build_object('charges', ${outcome.charges}::int, 'healed', ${outcome.healed}::int,
          'differences', ${outcome.differences.length}::int), '{}', ${person.userId})`)
    return { success: true, ...outcome }
  },
})
