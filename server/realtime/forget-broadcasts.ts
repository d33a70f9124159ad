import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** Removes stored broadcasts that have expired. */
export async function forgetBroadcasts(service: ServiceDb): Promise<void> {
  await service.rows(sql`select realtime.forget_messages()`)
}
