import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { ownDefaults, supabaseDefaults } from '../postgres/default-privileges.ts'
import { withClient } from '../postgres/migrate.ts'

/** Where `supabase db push` records applied migrations, in its own format: each tool sees the other's, and a backup has it. */
export const ownMigrationsTable = 'supabase_migrations.schema_migrations'
const createTable = `
  create schema if not exists supabase_migrations;
  create table if not exists ${ownMigrationsTable} (version text not null primary key);
  alter table ${ownMigrationsTable} add column if not exists statements text[], add column if not exists name text`

/** The session that a migration finds at Supabase, and back. */
const before = `set search_path = "$user", public, extensions;\n${supabaseDefaults}`
const after = `reset role;\nreset search_path;\n${ownDefaults}`

/**
 * `npm run migrate -- FOLDER`: applies the operator's own migrations (`*.sql`, by name), each once and, unless it says otherwise, completely or
 * not at all.
 * @returns the applied files.
 * @throws an Error with one sentence that names the file.
 */
export async function applyOwnMigrations(ownerUrl: string, folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  if (files.length === 0) throw new Error(`${folder} has no .sql files.`)
  return withClient(ownerUrl, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('${ownMigrationsTable}'))`) // until this connection ends
    await client.query(createTable)
    const { rows } = await client.query<{ version: string }>(`select version from ${ownMigrationsTable}`)
    const known = new Set(rows.map(({ version }) => version))
    const waiting = files.filter((file) => !known.has(versionOf(file)))
    for (const file of waiting) await apply(ownerUrl, file, await readFile(join(folder, file), 'utf8'))
    if (waiting.length > 0) await client.query(`notify pgrst, 'reload schema'`)
    return waiting
  })
}

/** Runs a backup's own migrations again, from their text. The table is already filled. */
export async function replayOwnMigrations(ownerUrl: string): Promise<void> {
  const migrations = await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ version: string; statements: string[] | null }>(
      `select version, statements from ${ownMigrationsTable} order by version`,
    )
    return rows
  })
  for (const { version, statements } of migrations) {
    await withClient(ownerUrl, async (client) => {
      for (const statement of statements ?? []) await client.query(statement)
    }).catch((error: unknown) => {
      throw new Error(`The backup's own migration ${version} can't be repeated: ${told(error)}`)
    })
  }
}

/** Adds the columns of other versions of Supabase's tool. @param columns as SQL writes them. */
export async function createOwnMigrationsTable(client: pg.Client, columns: readonly string[]): Promise<void> {
  await client.query(createTable)
  for (const column of columns)
    await client.query(`alter table ${ownMigrationsTable} add column if not exists ${column} text`)
}

/** On a separate connection, so that no setting of the file outlives it. */
async function apply(ownerUrl: string, file: string, text: string) {
  const statements = [before, text, after]
  const row = [versionOf(file), file.slice(versionOf(file).length + 1, -'.sql'.length)].map(pg.escapeLiteral)
  const kept = `insert into ${ownMigrationsTable} (version, name, statements)
    values (${row.join(', ')}, array[${statements.map(pg.escapeLiteral).join(', ')}])`
  await withClient(ownerUrl, async (client) => {
    try {
      // One message is one transaction, except for the file's own commits.
      await client.query([...statements, kept].join('\n;\n'))
    } catch (error) {
      await client.query('rollback')
      await client.query(after)
      throw new Error(`${file}: ${told(error)}`, { cause: error })
    }
  })
}

/** The prefix of `20260131120000_rooms.sql`, or the whole name. */
const versionOf = (file: string): string => /^\d+(?=_)/.exec(file)?.[0] ?? file.slice(0, -'.sql'.length)

const told = (error: unknown): string => (error instanceof Error ? error.message : String(error))
