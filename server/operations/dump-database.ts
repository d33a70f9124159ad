import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { DumpedTable, Manifest } from './manifest.ts'

export type DatabaseDump = Pick<Manifest, 'takenAt' | 'postgresVersion' | 'migrations' | 'tables' | 'sequences'> & {
  /** Versions of every stored file that a row names. */
  readonly fileVersions: readonly string[]
}

const productSchemas = ['public', 'private', 'auth', 'storage', 'pgboss']

/** Schemas whose data is kept: the product's, and those of the operator's migrations. Not realtime: its content is temporary. */
const isDumped = (schema: string, owner: string) => `(${schema} = any($1) or (
  ${schema} !~ '^pg_' and ${schema} not in ('information_schema', 'realtime') and pg_has_role(${owner}, 'usage')))`

/**
 * Writes the rows of all tables into `<directory>/database`, one gzipped file of COPY text each. The connection must be in a
 * transaction with one snapshot (`repeatable read`).
 */
export async function dumpDatabase(client: pg.Client, directory: string): Promise<DatabaseDump> {
  await mkdir(join(directory, 'database'), { recursive: true })
  const tables: DumpedTable[] = []
  for (const table of await listTables(client)) tables.push(await dumpTable(client, directory, table))
  const { rows: facts } = await client.query<{ takenAt: Date; postgresVersion: string; migrations: string[] }>(
    `select now() as "takenAt", current_setting('server_version') as "postgresVersion",
       (select array_agg(name order by id) from private.migrations) as migrations`,
  )
  const { rows: sequences } = await client.query<{ name: string; lastValue: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as "lastValue" from pg_sequences
     where ${isDumped('schemaname', 'sequenceowner')} and last_value is not null order by 1`,
    [productSchemas],
  )
  const { rows: versions } = await client.query<{ version: string }>(
    'select version from storage.objects where version is not null union select version from private.video_files',
  )
  const [fact] = facts
  if (!fact) throw new Error('The database returned no facts about itself.')
  return {
    ...fact,
    takenAt: fact.takenAt.toISOString(),
    tables,
    sequences,
    fileVersions: versions.map(({ version }) => version),
  }
}

type Table = { readonly name: string; readonly columns: readonly string[] }

/**
 * Every table with its columns except generated ones; partitioned tables as a whole. Extensions create their own tables again. Nothing is kept
 * of unlogged tables: what they hold, such as the salts of visits, must not outlive its day.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       array(select quote_ident(a.attname) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where ${isDumped('n.nspname', 'c.relowner')} and c.relkind in ('r', 'p') and c.relpersistence = 'p' and not c.relispartition and c.oid <> 'private.migrations'::regclass
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1`,
    [productSchemas],
  )
  return rows
}

async function dumpTable(client: pg.Client, directory: string, { name, columns }: Table): Promise<DumpedTable> {
  const file = join('database', `${name.replaceAll('"', '')}.gz`)
  const copy = client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`))
  const hash = createHash('sha256')
  const hashed = new PassThrough()
  hashed.on('data', (chunk) => hash.update(chunk))
  await pipeline(copy, createGzip({ level: 6 }), hashed, createWriteStream(join(directory, file), { mode: 0o600 }))
  return { name, columns, file, rows: copy.rowCount, sha256: hash.digest('hex') }
}
