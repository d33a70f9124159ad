import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** Deletes stories that ended 30 days ago (STORY-01), in batches, so that no transaction is long. */
export async function removeEndedStories(service: ServiceDb): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const [batch] = await service.rows<{ count: number }>(sql`select private.remove_ended_stories() as count`)
    isDone = !batch || batch.count === 0
  }
}
