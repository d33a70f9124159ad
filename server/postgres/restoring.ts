import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from './migrate.ts'

/** A schema that exists from the first step of a restore to its last. An interrupted restore looks complete, but isn't. */
const mark = 'ovation_restoring'

/** The restore is staged here and moved into place once complete: it never removes anything else in `DATA_DIR`. */
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring')

export async function beginRestoring(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, (client) => client.query(`create schema ${mark}`))
}

/** May run twice. */
export async function endRestoring(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, (client) => client.query(`drop schema if exists ${mark}`))
}

/** @throws an Error with one sentence while a restore runs on this database, and after an interrupted one. */
export async function requireRestored(ownerUrl: string): Promise<void> {
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query<{ found: boolean }>(`select to_regnamespace($1) is not null as found`, [mark]),
  )
  if (rows[0]?.found)
    throw new Error(
      'A restore into this database is in progress or was interrupted. If it was interrupted, drop the database, create it again, and restore again.',
    )
}

/** @throws the same for a `DATA_DIR`. */
export function requireRestoredFolder(dataDir: string): void {
  if (existsSync(restoringFolder(dataDir)))
    throw new Error(
      `A restore into DATA_DIR ${dataDir} is in progress or was interrupted. If it was interrupted, restore again: it starts over, or completes the last steps.`,
    )
}
