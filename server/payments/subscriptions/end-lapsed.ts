import pMap from 'p-map'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { syncWhereKnown } from './sync-subscription.ts'

/** The provider handles this many requests at once well. */
const concurrency = 4

/**
 * Ends subscriptions whose access has lapsed (SUB-15 to SUB-17), and asks the provider about each, because lapsing is only our estimate.
 * @throws AggregateError of failed requests, after all others; `reconcile-payments` asks again.
 */
export async function endLapsedSubscriptions(payments: Payments): Promise<void> {
  const ended = await payments.database.service.rows<{ id: string }>(sql`select private.expire_subscriptions() as id`)
  await pMap(ended, ({ id }) => syncWhereKnown(payments, id), { concurrency, stopOnError: false })
}
