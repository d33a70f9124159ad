import type { CallerDb, ServiceDb } from '../postgres/caller-db.ts'
import { storageErrors } from './errors.ts'
import { deleteAnyObjects, deleteObjects, findObject, type ObjectRow } from './object-queries.ts'
import { removeContent } from './remove-content.ts'
import { keyOf } from './row-cache.ts'
import type { StorageParts } from './storage-parts.ts'

type Parts = Pick<StorageParts, 'database' | 'store' | 'rowCache'>

/**
 * Removes what the caller may remove. Rows go first: content without a row is an orphan, a row without content is a broken file.
 * @returns the deleted rows. Like storage-api, it leaves out paths that are missing or not the caller's.
 */
export async function removeObjects(db: CallerDb, parts: Parts, bucket: string, names: readonly string[]) {
  const removed = await deleteObjects(db, bucket, names)
  for (const { name } of removed) parts.rowCache.forget(keyOf({ bucket, name }))
  await removeContent(parts, versionsOf(removed))
  return removed
}

/** @throws NoSuchKey when the caller can't see it; AccessDenied when they can see it but not remove it. */
export async function removeObject(db: CallerDb, parts: Parts, bucket: string, name: string): Promise<void> {
  const removed = await removeObjects(db, parts, bucket, [name])
  if (removed.length === 0) await refuse(db, bucket, name)
}

const batchSize = 500

export async function emptyBucket(db: ServiceDb, parts: Parts, bucket: string): Promise<void> {
  for (;;) {
    const removed = await deleteAnyObjects(db, bucket, batchSize)
    parts.rowCache.forget()
    await removeContent(parts, versionsOf(removed))
    if (removed.length < batchSize) return
  }
}

/** Why nothing changed: a visible object is denied, a hidden one is not found. */
export async function refuse(db: CallerDb, bucket: string, name: string): Promise<never> {
  throw (await findObject(db, bucket, name)) ? storageErrors.accessDenied() : storageErrors.noSuchKey()
}

const versionsOf = (objects: readonly Pick<ObjectRow, 'version'>[]) => objects.map(({ version }) => version)
