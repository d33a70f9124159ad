import type { ServiceDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'

/** Adds up what is new for the analytics of subscribers (STATX-01, STATX-04). In steps, so that none takes long. */
export async function rollUpSubscribers(service: ServiceDb): Promise<void> {
  for (let more = true; more; ) {
    const [step] = await service.rows<{ more: boolean }>(sql`select private.roll_up_subscribers() as more`)
    more = step?.more ?? false
  }
}
