import type { CallerDb, ServiceDb } from '../postgres/caller-db.ts'
import { storageErrors } from './errors.ts'
import { deleteAnyObjects, deleteObjects, findObject, type ObjectRow } from './object-queries.ts'
import type { ObjectStore } from './object-store.ts'

/**
 * Removes what the caller may remove. Rows go first: content without a row is an orphan, a row without content a broken promise.
 * @returns the rows that went; a path that is absent or not the caller's is left out, as storage-api has it.
 */
export async function removeObjects(db: CallerDb, store: ObjectStore, bucket: string, names: readonly string[]) {
  const removed = await deleteObjects(db, bucket, names)
  await removeContent(store, removed)
  return removed
}

/** @throws NoSuchKey when the caller can't see it; AccessDenied when they see it and may not remove it. */
export async function removeObject(db: CallerDb, store: ObjectStore, bucket: string, name: string): Promise<void> {
  const removed = await removeObjects(db, store, bucket, [name])
  if (removed.length === 0) await refuse(db, bucket, name)
}

const batchSize = 500

export async function emptyBucket(db: ServiceDb, store: ObjectStore, bucket: string): Promise<void> {
  for (;;) {
    const removed = await deleteAnyObjects(db, bucket, batchSize)
    await removeContent(store, removed)
    if (removed.length < batchSize) return
  }
}

/** Why nothing changed: what a person can see and not change is refused, what they can't see is absent. */
export async function refuse(db: CallerDb, bucket: string, name: string): Promise<never> {
  throw (await findObject(db, bucket, name)) ? storageErrors.accessDenied() : storageErrors.noSuchKey()
}

async function removeContent(store: ObjectStore, objects: readonly Pick<ObjectRow, 'version'>[]) {
  await Promise.all(objects.map(({ version }) => store.remove(version)))
}
