import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { Client } from './client.ts'
import { ownDefaults } from './default-privileges.ts'
import { rejectEarlySchema } from './early-schema.ts'

const directory = fileURLToPath(new URL('../../database/migrations', import.meta.url))

/**
 * Applies the pending migrations, all in one transaction. Nodes that start together wait for each other.
 * @param only the maximum number; all of them, if omitted.
 * @returns the names of those applied.
 * @throws ConfigError when a version from before the first release made the database.
 */
export async function migrate(ownerUrl: string, { only = Number.POSITIVE_INFINITY } = {}): Promise<string[]> {
  await withClient(ownerUrl, async (client) => {
    await rejectEarlySchema(client)
    await closeDefaults(client)
  })
  const applied = await withClient(ownerUrl, (dbClient) =>
    runner({
      count: only,
      dbClient,
      dir: directory,
      direction: 'up',
      migrationsSchema: 'private',
      createMigrationsSchema: true,
      migrationsTable: 'migrations',
      advisoryLockMode: 'wait',
      singleTransaction: true,
      log: () => undefined,
    }),
  )
  // Running gateways read their catalog again.
  if (applied.length > 0) await withClient(ownerUrl, (client) => client.query(`notify pgrst, 'reload schema'`))
  return applied.map(({ name }) => name)
}

/** An operator's own migration may have left Supabase's defaults behind, which would open objects of the next migration. */
async function closeDefaults(client: pg.Client) {
  const { rows } = await client.query<{ table: string | null }>(`select to_regclass('private.migrations') as table`)
  if (!rows[0]?.table) return // the first migration sets them, after the extensions
  const { rows: applied } = await client.query<{ name: string }>('select name from private.migrations')
  const known = new Set(applied.map(({ name }) => name))
  if (known.size === 0 || migrationNames().every((name) => known.has(name))) return
  // Nodes that start together would change the same row of the catalog.
  await client.query(`begin;\nlock table private.migrations in exclusive mode;\n${ownDefaults};\ncommit`)
}

/** The names of all migrations that this version has, in order. */
export function migrationNames(): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted()
}

/** Creates the database when the server does not have it. @returns whether it was created. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<boolean> {
  return withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return false
    await client.query(`create database ${pg.escapeIdentifier(name)}`)
    return true
  })
}

/** Sets the password of the gateway's login role. */
export async function setGatewayPassword(ownerUrl: string, password: string): Promise<void> {
  await withClient(ownerUrl, (client) =>
    client.query(`alter role authenticator with login password ${pg.escapeLiteral(password)}`),
  )
}

/** One short-lived connection as the owner, closed whatever happens. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: 'ovation' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
