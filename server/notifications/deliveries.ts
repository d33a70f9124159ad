import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import type { Delivery } from './notification-mail.ts'

export type Channel = 'email' | 'push'

/**
 * What is to be sent now, person by person. It is due again later unless it is finished: a crash sends twice rather than never.
 * @param delaySeconds how long something has to have been due.
 * @param limit how many due ones are looked at.
 */
export async function takeDeliveries(
  db: ServiceDb,
  channel: Channel,
  { delaySeconds, limit }: { readonly delaySeconds: number; readonly limit: number },
): Promise<Map<string, Delivery[]>> {
  const rows = await db.rows<Delivery>(sql`
    select user_id as "userId", notification_id as "notificationId", type, title, message, data
    from private.take_deliveries(${channel}, ${delaySeconds}, ${limit})`)
  return Map.groupBy(rows, ({ userId }) => userId)
}

export async function finishDeliveries(
  db: ServiceDb,
  channel: Channel,
  deliveries: readonly Delivery[],
): Promise<void> {
  const ids = deliveries.map(({ notificationId }) => notificationId)
  await db.rows(sql`select private.finish_deliveries(${channel}, ${ids}::uuid[])`)
}
