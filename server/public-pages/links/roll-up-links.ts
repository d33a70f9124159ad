import type { ServiceDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'

/** Counts the visits and events of links that are new, and deletes what must not be kept (LINK-01, LINK-02). In steps, so that none takes long. */
export async function rollUpLinks(service: ServiceDb): Promise<void> {
  for (let more = true; more; ) {
    const [step] = await service.rows<{ more: boolean }>(sql`select private.roll_up_links() as more`)
    more = step?.more ?? false
  }
  await service.rows(sql`select private.forget_link_visitors()`)
}
