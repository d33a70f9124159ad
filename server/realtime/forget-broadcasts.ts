import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** Removes broadcasts that have been kept long enough. */
export async function forgetBroadcasts(service: ServiceDb): Promise<void> {
  await service.rows(sql`select realtime.forget_messages()`)
}
