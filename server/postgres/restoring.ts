import { withClient } from './migrate.ts'

/** A schema that is there from the first step of a restore to its last. What a restore that was broken off leaves looks whole, and is not. */
const mark = 'ovation_restoring'

export async function beginRestoring(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, (client) => client.query(`create schema ${mark}`))
}

export async function endRestoring(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, (client) => client.query(`drop schema ${mark}`))
}

/** @throws an Error with one sentence while a restore fills this database, and after one that did not come to its end. */
export async function requireRestored(ownerUrl: string): Promise<void> {
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query<{ found: boolean }>(`select to_regnamespace($1) is not null as found`, [mark]),
  )
  if (rows[0]?.found)
    throw new Error(
      'A restore into this database is going on, or was broken off. In that case restore once more, into a new and empty database (DATABASE_URL) or an empty DATA_DIR.',
    )
}
