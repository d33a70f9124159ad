import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from './migrate.ts'

/** A schema that is there from the first step of a restore to its last. What a restore that was broken off leaves looks whole, and is not. */
const mark = 'ovation_restoring'

/** What is restored grows here, and comes to its place when it is whole: nothing else in `DATA_DIR` is ever a restore's to remove. */
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring')

export async function beginRestoring(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, (client) => client.query(`create schema ${mark}`))
}

/** Done twice, it is done once. */
export async function endRestoring(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, (client) => client.query(`drop schema if exists ${mark}`))
}

/** @throws an Error with one sentence while a restore fills this database, and after one that did not come to its end. */
export async function requireRestored(ownerUrl: string): Promise<void> {
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query<{ found: boolean }>(`select to_regnamespace($1) is not null as found`, [mark]),
  )
  if (rows[0]?.found)
    throw new Error(
      'A restore into this database is going on, or was broken off. In that case drop the database, create it anew, and restore once more.',
    )
}

/** @throws the same of a `DATA_DIR`. */
export function requireRestoredFolder(dataDir: string): void {
  if (existsSync(restoringFolder(dataDir)))
    throw new Error(
      `A restore into DATA_DIR ${dataDir} is going on, or was broken off. In that case restore once more: it begins anew, or ends what was all but done.`,
    )
}
