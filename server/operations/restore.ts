import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Config } from '../config.ts'
import { lockDataDir } from '../data-lock.ts'
import { prepareJobs } from '../jobs/prepare.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { stopOrphan } from '../postgres/embedded-orphan.ts'
import { ensureDatabase, migrate, withClient } from '../postgres/migrate.ts'
import { databaseName } from '../postgres/open.ts'
import { keepPartitions } from '../postgres/partitions.ts'
import { beginRestoring, endRestoring, requireRestored, restoringFolder } from '../postgres/restoring.ts'
import { loadSecrets } from '../secrets.ts'
import { buildStore } from '../storage/build-store.ts'
import { giveFiles } from './backup-files.ts'
import { listTables } from './dump-database.ts'
import { findDifferences } from './find-differences.ts'
import { type DumpedTable, type Manifest, readManifest } from './manifest.ts'
import { createOwnMigrationsTable, ownMigrationsTable, replayOwnMigrations } from './own-migrations.ts'

/** `differences`: the results of the database's own checks; empty when all is well. */
export type Restored = { readonly manifest: Manifest; readonly files: number; readonly differences: readonly string[] }

/** Written when only the moves into place are left: the restore's result, and which backup it came from. */
const completedFile = 'restored.json'

/**
 * `npm run restore -- DIRECTORY`: restores an installation from a backup, into an empty `DATA_DIR` or an empty `DATABASE_URL`. Rows go
 * into the tables of the backup's migrations and the operator's own; newer ones of the product run afterwards, as in an upgrade. All rows or none. After
 * an interrupted restore (`kill -9`, a power cut), the next one starts over in `DATA_DIR`; an outside database stays marked,
 * because the product may not drop one.
 * @throws an Error with one sentence when the target isn't empty, or the backup isn't complete.
 */
export async function restore(config: Config, source: string): Promise<Restored> {
  const directory = resolve(source)
  const manifest = await readManifest(directory)
  for (const table of manifest.tables) await verifyFile(directory, table)
  const staging = { ...config, dataDir: restoringFolder(config.dataDir) }
  const known = await readCompleted(staging.dataDir)
  if (!known) await requireEmpty(config)
  const lock = lockDataDir(config.dataDir)
  try {
    const restored = known ?? (await buildRestore(staging, directory, manifest))
    if (restored.manifest.takenAt !== manifest.takenAt)
      throw new Error(
        `DATA_DIR ${config.dataDir} has an almost complete restore of the backup of ${restored.manifest.takenAt}: restore that one again.`,
      )
    await putInPlace(config, staging.dataDir)
    return restored
  } finally {
    lock.release()
  }
}

/** @returns undefined where there is none, or an interrupted one. */
async function readCompleted(folder: string): Promise<Restored | undefined> {
  const file = join(folder, completedFile)
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Restored) : undefined
}

async function buildRestore(config: Config, directory: string, manifest: Manifest): Promise<Restored> {
  await remove(config.dataDir)
  await mkdir(config.dataDir)
  try {
    for (const file of ['secrets.json', 'sandbox.sqlite']) {
      if (existsSync(join(directory, file))) await copyFile(join(directory, file), join(config.dataDir, file))
    }
    const restored = await fill(config, directory, manifest)
    await writeFile(join(config.dataDir, `${completedFile}.new`), JSON.stringify(restored), { flush: true })
    await rename(join(config.dataDir, `${completedFile}.new`), join(config.dataDir, completedFile))
    return restored
  } catch (error) {
    await remove(config.dataDir)
    throw error
  }
}

async function fill(config: Config, directory: string, manifest: Manifest): Promise<Restored> {
  const { databasePassword: password } = await loadSecrets(config)
  const server = config.databaseUrl ? undefined : await startEmbedded({ dataDir: config.dataDir, password })
  try {
    if (server) await ensureDatabase(server.url('postgres'), databaseName)
    const ownerUrl = ownerUrlOf(config) ?? server?.url(databaseName) ?? ''
    await beginRestoring(ownerUrl)
    await fillDatabase(ownerUrl, directory, manifest)
    await migrate(ownerUrl)
    // The months of the backup's rows: a new database has the present ones.
    await keepPartitions(ownerUrl, {})
    const files = await giveFiles(await buildStore(config), directory)
    const differences = await withClient(ownerUrl, findDifferences)
    if (server) await endRestoring(ownerUrl)
    return { manifest, files, differences }
  } finally {
    await server?.stop()
  }
}

/** A database server that outlived its interrupted restore still writes there. */
async function remove(folder: string) {
  await stopOrphan(join(folder, 'postgres'))
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** A power cut may follow each step: the next restore then continues from there. */
async function putInPlace(config: Config, folder: string) {
  const { dataDir } = config
  const databaseUrl = ownerUrlOf(config)
  for (const name of await readdir(folder)) {
    if (name === completedFile) continue
    if (existsSync(join(dataDir, name)))
      throw new Error(`DATA_DIR ${dataDir} has a ${name} that is not of this restore: move it away, and restore again.`)
    await rename(join(folder, name), join(dataDir, name))
  }
  if (databaseUrl !== undefined) await endRestoring(databaseUrl)
  await rm(folder, { recursive: true })
}

/** For an outside database: a restore needs a single session, which a pooler may not give. */
const ownerUrlOf = ({ databaseUrl, databaseDirectUrl }: Config) => databaseDirectUrl ?? databaseUrl

async function requireEmpty(config: Config) {
  const { dataDir } = config
  const databaseUrl = ownerUrlOf(config)
  if (databaseUrl !== undefined) {
    await requireRestored(databaseUrl)
    const { rows } = await withClient(databaseUrl, (client) =>
      client.query(`select to_regclass('private.migrations') is not null as used`),
    )
    if (rows[0]?.used) throw new Error('DATABASE_URL names a database that is in use: restore into an empty one.')
  }
  const found = existsSync(dataDir) ? await readdir(dataDir) : []
  const staging = basename(restoringFolder(dataDir))
  if (found.some((name) => name !== staging && !name.startsWith('lock'))) {
    throw new Error(`DATA_DIR ${dataDir} is not empty: restore into an empty one.`)
  }
}

async function verifyFile(directory: string, { file, sha256 }: DumpedTable) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(join(directory, file)), hash).catch(() => {
    throw new Error(`The backup is not complete: ${file} can't be read.`)
  })
  if (hash.digest('hex') !== sha256)
    throw new Error(`The backup is not complete: ${file} has changed since it was written.`)
}

async function fillDatabase(ownerUrl: string, directory: string, manifest: Manifest) {
  const applied = await migrate(ownerUrl, { only: manifest.migrations.length })
  if (applied.join() !== manifest.migrations.join()) {
    throw new Error(
      'The backup comes from a version whose migrations this one does not have: restore it with that version.',
    )
  }
  await prepareJobs(ownerUrl)
  await repeatOwnMigrations(ownerUrl, directory, manifest)
  await withClient(ownerUrl, async (client) => {
    await client.query('begin')
    // Rows are copied unchanged: the results of triggers are included, and the order does not matter.
    await client.query(`set local session_replication_role = 'replica'`)
    const present = new Map((await listTables(client)).map((table) => [table.name, new Set(table.columns)]))
    await client.query(`truncate ${[...present.keys()].join(', ')}`)
    for (const table of manifest.tables) {
      const columns = present.get(table.name)
      if (!columns)
        throw new Error(`The backup has a table ${table.name} that neither the product nor a migration of yours made.`)
      if (table.columns.some((column) => !columns.has(column)))
        throw new Error(`The backup's table ${table.name} differs from the one in this version.`)
      await fillTable(client, directory, table)
    }
    for (const { name, lastValue } of manifest.sequences) await client.query('select setval($1, $2)', [name, lastValue])
    await client.query('commit')
    await client.query('analyze')
  })
}

/** The operator's own tables, from the text of their migrations. */
async function repeatOwnMigrations(ownerUrl: string, directory: string, { tables }: Manifest) {
  const list = tables.find(({ name }) => name === ownMigrationsTable)
  if (!list) return
  await withClient(ownerUrl, async (client) => {
    await createOwnMigrationsTable(client, list.columns)
    await fillTable(client, directory, list)
  })
  await replayOwnMigrations(ownerUrl)
}

async function fillTable(client: pg.Client, directory: string, { name, columns, file, rows }: DumpedTable) {
  const copy = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`))
  await pipeline(createReadStream(join(directory, file)), createGunzip(), copy)
  if (copy.rowCount !== rows) throw new Error(`${name} took ${copy.rowCount} of the backup's ${rows} rows.`)
}
