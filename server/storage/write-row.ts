import pg from 'pg'
import { GatewayError } from '../http/errors.ts'
import type { Caller } from '../postgres/caller.ts'
import type { Statement } from '../postgres/sql.ts'
import { storageErrors } from './errors.ts'
import { keyOf } from './known-rows.ts'
import type { Place, WrittenObject } from './object-queries.ts'
import type { StorageParts } from './storage-parts.ts'

/**
 * Writes the row of content that is stored already, and clears up after it: the version it replaced, or the new one when the
 * database refuses.
 */
export async function writeRow(
  { database, store, known }: Pick<StorageParts, 'database' | 'store' | 'known'>,
  caller: Caller,
  place: Place,
  version: string,
  row: Statement,
): Promise<{ id: string }> {
  try {
    const [written] = await database.as(caller).rows<WrittenObject>(row)
    if (!written) throw storageErrors.accessDenied()
    known.forget(keyOf(place))
    if (written.replaced) await store.remove(written.replaced)
    return { id: written.id }
  } catch (error) {
    // Only when the row surely was not written. A connection that broke leaves that open; the sweep settles it.
    if (error instanceof pg.DatabaseError || error instanceof GatewayError) await store.remove(version)
    throw error
  }
}
