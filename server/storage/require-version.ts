import type { CallerDb } from '../postgres/caller-db.ts'
import { storageErrors } from './errors.ts'
import { findObject, type ObjectRow, type Place } from './object-queries.ts'

/**
 * The found object, if it has the requested version. Only the current version exists.
 * @throws NoSuchKey (404) for any other version, and when nothing was found.
 */
export function requireObject<Row extends Pick<ObjectRow, 'version'>>(
  object: Row | undefined,
  versionId: string | undefined,
): Row {
  if (!object || (versionId !== undefined && object.version !== versionId)) throw storageErrors.noSuchKey()
  return object
}

/** For callers that don't need the object itself. @throws as `requireObject`. */
export async function requireVersion(
  db: CallerDb,
  { bucket, name }: Place,
  versionId: string | undefined,
): Promise<void> {
  if (versionId !== undefined) requireObject(await findObject(db, bucket, name), versionId)
}
