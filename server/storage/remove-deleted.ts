import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import type { ObjectStore } from './object-store.ts'
import { removeContent } from './remove-content.ts'

const batchSize = 200

export const storageRemovalsJob = { name: 'storage-removals' } as const

/**
 * Removes the bytes of files whose rows went with an account or a post (SET-14). The row is deleted after the bytes: a crash
 * between them removes missing bytes again, which isn't an error. Needs the service: the former owner is unknown.
 * @returns the number of removed files.
 */
export async function removeDeletedFiles(service: ServiceDb, store: ObjectStore): Promise<number> {
  let removed = 0
  for (;;) {
    const files = await service.rows<{ id: string; version: string | null }>(sql`
      select id::text, version from private.storage_removals order by id limit ${batchSize}`)
    const versions = files.flatMap(({ version }) => version ?? [])
    await removeContent({ database: { service }, store }, versions)
    await service.rows(sql`delete from private.storage_removals where id = any(${files.map(({ id }) => id)}::bigint[])`)
    removed += files.length
    if (files.length < batchSize) return removed
  }
}
