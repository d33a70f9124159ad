import type { CallerDb } from '../postgres/caller-db.ts'
import { storageErrors } from './errors.ts'
import { findObject, type ObjectRow, type Place } from './object-queries.ts'

/**
 * The object that was found, if it is the version that was asked for. There is none here but the current one.
 * @throws NoSuchKey (404) for any other, and where nothing was found.
 */
export function requireObject<Row extends Pick<ObjectRow, 'version'>>(
  object: Row | undefined,
  versionId: string | undefined,
): Row {
  if (!object || (versionId !== undefined && object.version !== versionId)) throw storageErrors.noSuchKey()
  return object
}

/** For those who do not need the object itself. @throws as `requireObject`. */
export async function requireVersion(
  db: CallerDb,
  { bucket, name }: Place,
  versionId: string | undefined,
): Promise<void> {
  if (versionId !== undefined) requireObject(await findObject(db, bucket, name), versionId)
}
