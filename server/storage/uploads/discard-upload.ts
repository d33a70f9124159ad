import pg from 'pg'
import { GatewayError } from '../../http/errors.ts'
import { fromDatabase } from '../from-database.ts'
import type { StorageParts } from '../storage-parts.ts'
import { deleteUpload } from './upload-queries.ts'

type Parts = Pick<StorageParts, 'database' | 'store'>

/** Deletes an upload: its rows first, then the bytes that no row names any more. */
export async function discardUpload(parts: Parts, id: string): Promise<void> {
  await removeFiles(parts, await deleteUpload(parts.database.service, id))
}

export async function removeFiles({ store }: Parts, files: readonly string[]): Promise<void> {
  for (const file of new Set(files)) await store.removePart(file)
}

/**
 * A rejected upload would be rejected again, so nothing of it is kept. A failure on our side may be retried.
 * @throws the error itself.
 */
export async function discardRefused(parts: Parts, id: string, error: unknown): Promise<never> {
  const refusal = error instanceof pg.DatabaseError ? fromDatabase(error) : error
  if (refusal instanceof GatewayError && refusal.status < 500) await discardUpload(parts, id)
  throw error
}
