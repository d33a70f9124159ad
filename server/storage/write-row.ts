import pg from 'pg'
import { GatewayError } from '../http/errors.ts'
import type { Caller } from '../postgres/caller.ts'
import { DatabaseFailure } from '../postgres/database-failure.ts'
import type { Statement } from '../postgres/sql.ts'
import { storageErrors } from './errors.ts'
import type { Place, WrittenObject } from './object-queries.ts'
import { removeContent } from './remove-content.ts'
import { keyOf } from './row-cache.ts'
import type { StorageParts } from './storage-parts.ts'
import { spendUploadLink, type UploadLink } from './upload-link.ts'

/**
 * Writes the row of content that is already stored, and then removes the version it replaced, or the new one when the
 * database rejects it.
 * @param link used up in the same transaction.
 */
export async function writeRow(
  { database, store, rowCache }: Pick<StorageParts, 'database' | 'store' | 'rowCache'>,
  caller: Caller,
  place: Place,
  version: string,
  row: Statement,
  link?: UploadLink,
): Promise<{ id: string }> {
  try {
    const [written] = await write(database, caller, row, link)
    if (!written) throw storageErrors.accessDenied()
    rowCache.forget(keyOf(place))
    if (written.replaced) await removeContent({ database, store }, [written.replaced])
    return { id: written.id }
  } catch (error) {
    // Only when the row surely was not written. After a broken connection that is unknown, and the sweep decides.
    const wasRefused = [pg.DatabaseError, DatabaseFailure, GatewayError].some((type) => error instanceof type)
    if (wasRefused) await store.remove(version)
    throw error
  }
}

function write(database: StorageParts['database'], caller: Caller, row: Statement, link: UploadLink | undefined) {
  if (!link) return database.as(caller).rows<WrittenObject>(row)
  return database.transaction(caller, async (db) => {
    const written = await db.rows<WrittenObject>(row)
    await db.rows(spendUploadLink(link))
    return written
  })
}
