import { randomUUID } from 'node:crypto'
import { reconcile } from '../payments/reconciliation/reconcile.ts'
import { defineFunction } from './define.ts'
import { optionalInteger } from './fields.ts'
import { auditEntry } from './queries.ts'

/**
 * `reconcile-payments` {days? (7)} → {success, since, charges, healed, differences}: compares the ledger with the payment provider
 * now, like the nightly run. It books what was missing, and lists each difference until it is settled. The audit log gets an entry
 * before and one after.
 */
export const reconcilePayments = defineFunction({
  name: 'reconcile-payments',
  requires: 'admin',
  fields: { days: optionalInteger({ label: 'The number of days', min: 1, max: 90 }) },
  run: async ({ person, input, services }) => {
    const days = input.days ?? 7
    // It takes minutes and depends on the provider: the log records that it began, however it ends.
    const run = randomUUID()
    const { service } = services.database
    const about = {
      action: 'reconcile_payments',
      subjectType: 'payment_differences',
      subjectId: run,
      before: null,
      details: { days },
      actorId: person.userId,
    }
    const record = (after: object) => service.rows(auditEntry({ ...about, after }))
    await record({ state: 'begun' })
    const outcome = await reconcile(services, days)
    const { charges, healed, differences } = outcome
    await record({ state: 'done', charges, healed, differences: differences.length })
    return { success: true, ...outcome }
  },
})
