import pMap from 'p-map'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { syncWhereKnown } from './sync-subscription.ts'

/** The provider bears so many questions at once well. */
const concurrency = 4

/**
 * Ends the subscriptions whose access ran out by the clock (SUB-15 to SUB-17), and asks the provider about each: ours was a guess.
 * @throws AggregateError of what could not be asked, when all others have been; `reconcile-payments` asks again.
 */
export async function endLapsedSubscriptions(payments: Payments): Promise<void> {
  const ended = await payments.database.service.rows<{ id: string }>(sql`select private.expire_subscriptions() as id`)
  await pMap(ended, ({ id }) => syncWhereKnown(payments, id), { concurrency, stopOnError: false })
}
