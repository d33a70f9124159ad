import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** Counts what is new for the funnel and for content (STATX-02), and deletes viewers that must not be kept. In steps, so that none takes long. */
export async function rollUpFunnel(service: ServiceDb): Promise<void> {
  for (let more = true; more; ) {
    const [step] = await service.rows<{ more: boolean }>(sql`select private.roll_up_funnel() as more`)
    more = step?.more ?? false
  }
  await service.rows(sql`select private.forget_page_viewers()`)
}

/** Deletes who got how far in which file, once nobody has gone on for 180 days. */
export async function forgetMediaProgress(service: ServiceDb): Promise<void> {
  for (let more = true; more; ) {
    const [step] = await service.rows<{ more: boolean }>(sql`select private.forget_media_progress() as more`)
    more = step?.more ?? false
  }
}
