import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** Whether this database is the product's. Another's (`MIGRATE=0`, DESIGN §2) has no work for us, and must not be given a job queue. */
export async function hasWork(db: ServiceDb): Promise<boolean> {
  const [found] = await db.rows<{ ours: boolean }>(sql`select to_regclass('private.stripe_events') is not null as ours`)
  return found?.ours ?? false
}
