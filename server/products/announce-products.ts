import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** Notifies the buyers of products that have a new version (OFFER-05), in batches, so that no transaction is long. */
export async function announceProducts(service: ServiceDb): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const [batch] = await service.rows<{ count: number }>(sql`select private.announce_products() as count`)
    isDone = !batch || batch.count === 0
  }
}
