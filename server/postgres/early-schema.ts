import type pg from 'pg'
import { ConfigError } from '../environment-reader.ts'

/** Before its first release, the schema had many small migrations. One file per domain has replaced them, under other names. */
const firstEarlyMigration = '0001_foundations'

/** @throws ConfigError when a version from before the first release made the database: its schema is unknown. Nothing is changed. */
export async function rejectEarlySchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string | null }>(`select to_regclass('private.migrations') as table`)
  if (!rows[0]?.table) return
  const { rowCount } = await client.query('select from private.migrations where name = $1', [firstEarlyMigration])
  if (rowCount === 0) return
  throw new ConfigError(
    'A development version of Ovation from before its first release made this database, and this version can\'t take it over. Start with an empty DATA_DIR or DATABASE_URL, or start the version that made it (docs/operations.md, "Upgrading").',
  )
}
