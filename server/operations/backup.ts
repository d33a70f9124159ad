import { existsSync, renameSync, rmSync } from 'node:fs'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { Client } from '../postgres/client.ts'
import { requireRestoredFolder } from '../postgres/restoring.ts'
import { loadSecrets } from '../secrets.ts'
import { buildStore } from '../storage/build-store.ts'
import { keepFiles, removeOthers } from './backup-files.ts'
import { openDatabaseForCommand } from './database-for-command.ts'
import { type DatabaseDump, dumpDatabase } from './dump-database.ts'
import { backupFormat, type Manifest } from './manifest.ts'

/** How often to retry when a file was removed between the database's copy and its own, before reporting it. */
const attempts = 5

/**
 * `npm run backup -- DIRECTORY`: a consistent copy of the running installation: rows, files, keys. A second backup
 * into the same directory copies only new files. The directory holds every secret of the installation: protect it like one.
 * @returns what was backed up.
 */
export async function backup(config: Config, target: string): Promise<Manifest> {
  const directory = resolve(target)
  requireRestoredFolder(config.dataDir)
  // With a DATABASE_URL, the backup would contain newly made keys, and nothing encrypted with the old ones could be read.
  if (!existsSync(join(config.dataDir, 'secrets.json')))
    throw new Error(`DATA_DIR ${config.dataDir} has no secrets.json, so it doesn't belong to the installation.`)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const secrets = await loadSecrets(config)
  const database = await openDatabaseForCommand(config, secrets)
  const client = new Client({ connectionString: database.ownerUrl, application_name: 'ovation backup' })
  try {
    await client.connect()
    // Until the new manifest exists, the directory is not a complete backup.
    await rm(join(directory, 'manifest.json'), { force: true })
    const { dump, files } = await copyOneMoment(client, config, directory)
    await copyFile(join(config.dataDir, 'secrets.json'), join(directory, 'secrets.json'))
    copySandbox(config, directory)
    const { fileVersions, ...rest } = dump
    const manifest: Manifest = { format: backupFormat, ...rest, files }
    await writeFile(join(directory, 'manifest.json.new'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await rename(join(directory, 'manifest.json.new'), join(directory, 'manifest.json'))
    return manifest
  } finally {
    await client.end()
    await database.stop()
  }
}

/**
 * Rows first, then the files that they name: files never change, but one may be removed in between. Then the rows are read again.
 */
async function copyOneMoment(
  client: pg.Client,
  config: Config,
  directory: string,
): Promise<{ dump: DatabaseDump; files: Manifest['files'] }> {
  const store = await buildStore(config)
  let lost: readonly string[] = []
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await rm(join(directory, 'database'), { recursive: true, force: true })
    await client.query('begin isolation level repeatable read read only')
    const dump = await dumpDatabase(client, directory)
    await client.query('commit')
    const kept = await keepFiles(store, directory, dump.fileVersions)
    lost = kept.lost
    if (lost.length === 0) {
      await removeOthers(directory, new Set(dump.fileVersions))
      return { dump, files: { count: kept.count, bytes: kept.bytes } }
    }
  }
  throw new Error(
    `${lost.length} files that rows name are not in the store, including ${lost[0]}. Run npm run doctor for details.`,
  )
}

/** SQLite's own way to copy a file in use. */
function copySandbox({ dataDir }: Config, directory: string) {
  const file = join(dataDir, 'sandbox.sqlite')
  if (!existsSync(file)) return
  const copy = join(directory, 'sandbox.sqlite')
  rmSync(`${copy}.new`, { force: true })
  const sandbox = new DatabaseSync(file)
  try {
    sandbox.prepare('vacuum into ?').run(`${copy}.new`)
  } finally {
    sandbox.close()
  }
  renameSync(`${copy}.new`, copy)
}
