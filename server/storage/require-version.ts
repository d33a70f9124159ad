import type { CallerDb } from '../postgres/caller-db.ts'
import { storageErrors } from './errors.ts'
import { findObject } from './object-queries.ts'
import type { Place } from './transfer-object.ts'

/**
 * Clients may name a version of an object. There is none here but the current one.
 * @throws NoSuchKey (404) for any other.
 */
export async function requireVersion(
  db: CallerDb,
  { bucket, name }: Place,
  versionId: string | undefined,
): Promise<void> {
  if (versionId === undefined) return
  const object = await findObject(db, bucket, name)
  if (object?.version !== versionId) throw storageErrors.noSuchKey()
}
