import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets.ts'
import { startEmbedded } from './embedded.ts'
import { ensureDatabase, migrate, setGatewayPassword, withClient } from './migrate.ts'
import { requireRestored } from './restoring.ts'

export type OpenedDatabase = {
  readonly ownerUrl: string
  readonly requestUrl: string
  /** Whether it has our schemas. */
  readonly isOurs: boolean
  stop(): Promise<void>
}

export const databaseName = 'ovation'

/**
 * The database, migrated: the embedded server, or `DATABASE_URL`. On the embedded one requests come in as `authenticator`, which
 * is no superuser; an outside one is used as the user that its address names.
 * @throws an Error with one sentence where a restore was broken off.
 */
export async function openDatabase(config: Config, secrets: Secrets, log: FastifyBaseLogger): Promise<OpenedDatabase> {
  if (config.databaseUrl !== undefined) {
    await requireRestored(config.databaseUrl)
    if (config.migrate) logApplied(await migrate(config.databaseUrl), log)
    const url = config.databaseUrl
    return {
      ownerUrl: url,
      requestUrl: url,
      isOurs: config.migrate || (await hasOurSchemas(url)),
      stop: async () => undefined,
    }
  }
  const postgresLog = log.child({ part: 'postgres' })
  const server = await startEmbedded({
    dataDir: config.dataDir,
    password: secrets.databasePassword,
    onLog: (line) => (isAlarming(line) ? postgresLog.warn(line) : postgresLog.debug(line)),
  })
  try {
    const ownerUrl = server.url(databaseName)
    await ensureDatabase(server.url('postgres'), databaseName)
    await requireRestored(ownerUrl)
    logApplied(await migrate(ownerUrl), log)
    await setGatewayPassword(ownerUrl, secrets.databasePassword)
    return {
      ownerUrl,
      requestUrl: ownerUrl.replace('//postgres:', '//authenticator:'),
      isOurs: true,
      stop: server.stop,
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function hasOurSchemas(url: string): Promise<boolean> {
  const { rows } = await withClient(url, (client) =>
    client.query(`select to_regclass('private.settings') is not null as found`),
  )
  return rows[0]?.found === true
}

function logApplied(names: string[], log: FastifyBaseLogger) {
  if (names.length > 0) log.info({ migrations: names }, 'database migrated')
}

/** Our own look whether the server is up yet is answered with a FATAL of its own. */
function isAlarming(line: string): boolean {
  return /\b(FATAL|PANIC)\b/.test(line) && !/the database system is starting up/.test(line)
}
