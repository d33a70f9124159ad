import { rejectEarlySchema } from './early-schema.ts'
import { migrationNames, withClient } from './migrate.ts'

/** The migrations that the database has and this version doesn't know: a newer version has applied them.
 * @throws ConfigError when a version from before the first release made the database. */
export async function findNewerMigrations(ownerUrl: string): Promise<string[]> {
  return withClient(ownerUrl, async (client) => {
    await rejectEarlySchema(client)
    const { rows } = await client.query<{ table: string | null }>(`select to_regclass('private.migrations') as table`)
    if (!rows[0]?.table) return []
    const known = migrationNames()
    const { rows: newer } = await client.query<{ name: string }>(
      'select name from private.migrations where name <> all($1) order by name',
      [known],
    )
    return newer.map(({ name }) => name)
  })
}

/** Why this version must not start on such a database; undefined: it may. */
export function describeNewer(newer: readonly string[]): string | undefined {
  const last = newer.at(-1)
  if (last === undefined) return undefined
  return `A newer version of Ovation has migrated this database (up to ${last}; this version ends at ${migrationNames().at(-1)}). Start that version or a newer one, or go back by one version with MIGRATE=0 (docs/operations.md, "Going back").`
}
