import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'

export type Difference = {
  /** The Stripe object that the amounts are about. */
  readonly cause: string
  readonly kind: 'amount' | 'fee'
  readonly expectedCents: number
  readonly actualCents: number
}

/** Notes that Stripe's amount differs from ours. An operator should look into it, but it must not hold up what was paid for. */
export async function recordDifference({ database, log }: Payments, difference: Difference): Promise<void> {
  log.error(difference, "the payment provider's amount differs from ours")
  await database.service.rows(sql`
    insert into private.payment_differences (cause, kind, expected_cents, actual_cents)
    values (${difference.cause}, ${difference.kind}, ${difference.expectedCents}, ${difference.actualCents})
    on conflict (cause, kind) do nothing`)
}
