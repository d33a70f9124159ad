import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

export type Channel = 'email' | 'push'

/** A notification to be sent. */
export type Delivery = {
  /** profiles.id */
  readonly userId: string
  readonly notificationId: string
  readonly type: string
  readonly title: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Sends what is due now, one user at a time. A delivery becomes due again unless it is finished: a crash sends twice rather than never.
 * @param delaySeconds how long a delivery must have been due.
 * @param limit how many due deliveries to process.
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
