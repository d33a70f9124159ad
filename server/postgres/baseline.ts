import type pg from 'pg'
import { ConfigError } from '../environment.ts'

/**
 * Before its first release the schema grew in many small files. The baseline replaced them, one file for each domain, and makes the
 * same schema: a database that has all of the old files is what the baseline makes.
 */
const replaced = { first: '0001_foundations', last: '0745_updates_of_views' }
const lastOfBaseline = 35

/** Whether the migration is a part of the baseline. */
export const isOfBaseline = (name: string) => Number(name.slice(0, 4)) <= lastOfBaseline

/** Whether the files that the baseline replaced made the database, and it hasn't been adopted yet. */
export async function hasReplacedMigrations(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ table: string | null }>(`select to_regclass('private.migrations') as table`)
  if (!rows[0]?.table) return false
  const { rowCount } = await client.query('select from private.migrations where name = $1', [replaced.first])
  return rowCount === 1
}

/**
 * Lets a database that the replaced files made count as one that the baseline made. Only the list of its migrations changes.
 * @param names the migrations of this version.
 * @throws ConfigError when it doesn't have all of the replaced files, so that nobody knows what it lacks.
 */
export async function adoptBaseline(client: pg.Client, names: readonly string[]): Promise<void> {
  if (!(await hasReplacedMigrations(client))) return
  await client.query('begin')
  // Another node may adopt it at the same moment: the second one waits here, and has nothing left to do.
  await client.query('lock table private.migrations in exclusive mode')
  const { rows } = await client.query<{ name: string }>('select name from private.migrations order by name')
  const applied = rows.map(({ name }) => name)
  if (applied.includes(replaced.first)) {
    if (!applied.includes(replaced.last)) throw new ConfigError(describeIncomplete(applied))
    await client.query('delete from private.migrations where name <= $1', [replaced.last])
    await client.query(
      'insert into private.migrations (name, run_on) select name, now() from unnest($1::text[]) name',
      [names.filter(isOfBaseline)],
    )
  }
  await client.query('commit')
}

const describeIncomplete = (applied: readonly string[]) =>
  `An early version of Ovation made this database, up to the migration ${applied.at(-1)}. Start the version that ends with ${replaced.last} on it once, then this one (docs/operations.md, "Upgrading").`
