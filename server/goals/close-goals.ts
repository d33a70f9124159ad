import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/**
 * Closes goals that have ended, with the refunds that missed ones promised, and notifies the contributors of results in batches
 * (OFFER-07). What a killed run has left is left for the next one.
 */
export async function closeGoals(service: ServiceDb): Promise<void> {
  await service.rows(sql`select private.close_goals()`)
  for (;;) {
    const [batch] = await service.rows<{ done: number }>(sql`select private.announce_goals() as done`)
    if (!batch?.done) return
  }
}
