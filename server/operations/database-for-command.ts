import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { lockDataDir } from '../data-lock.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { databaseName } from '../postgres/open.ts'
import type { Secrets } from '../secrets.ts'

export type CommandDatabase = { readonly ownerUrl: string; stop(): Promise<void> }

/**
 * The installation's database for an operator's command: `DATABASE_URL`, the embedded server of the running product, or that server
 * started for the time of the command.
 * @throws an Error with one sentence when there is none.
 */
export async function openDatabaseForCommand(config: Config, secrets: Secrets): Promise<CommandDatabase> {
  if (config.databaseUrl !== undefined)
    return { ownerUrl: config.databaseDirectUrl ?? config.databaseUrl, stop: async () => undefined }
  if (!existsSync(join(config.dataDir, 'postgres'))) throw new Error(`DATA_DIR ${config.dataDir} has no database.`)
  const lock = takeLock(config.dataDir)
  if (!lock) {
    const ownerUrl = `postgres://postgres:${secrets.databasePassword}@127.0.0.1:${runningPort(config.dataDir)}/${databaseName}`
    return { ownerUrl, stop: async () => undefined }
  }
  const server = await startEmbedded({ dataDir: config.dataDir, password: secrets.databasePassword }).catch((error) => {
    lock.release()
    throw error
  })
  return {
    ownerUrl: server.url(databaseName),
    async stop() {
      await server.stop()
      lock.release()
    },
  }
}

/** Undefined while the product runs, because it holds the lock. */
function takeLock(dataDir: string): ReturnType<typeof lockDataDir> | undefined {
  try {
    return lockDataDir(dataDir)
  } catch {
    return undefined
  }
}

/** The fourth line of PostgreSQL's postmaster.pid. */
function runningPort(dataDir: string): number {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[3]) : Number.NaN
  if (!Number.isInteger(port))
    throw new Error(`The database in DATA_DIR ${dataDir} is starting or stopping: try again.`)
  return port
}
