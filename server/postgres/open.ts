import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { ConfigError } from '../environment-reader.ts'
import type { Secrets } from '../secrets.ts'
import { startEmbedded } from './embedded.ts'
import { ensureDatabase, migrate, setGatewayPassword, withClient } from './migrate.ts'
import { describeNewer, findNewerMigrations } from './newer-schema.ts'
import {
  type DatabaseFault,
  describeFault,
  findDatabaseFaults,
  grantMemberships,
  outsideAddresses,
} from './outside-database.ts'
import { requireRestored } from './restoring.ts'

export type OpenedDatabase = {
  readonly ownerUrl: string
  readonly requestUrl: string
  /** Whether it has the product's schemas. */
  readonly hasProductSchema: boolean
  stop(): Promise<void>
}

export const databaseName = 'ovation'

/**
 * The migrated database: the embedded server, or `DATABASE_URL`. On the embedded one requests connect as `authenticator`, which
 * isn't a superuser; an outside one is used as the user in its address, and checked first.
 * @throws an Error with one sentence after an interrupted restore.
 */
export async function openDatabase(config: Config, secrets: Secrets, log: FastifyBaseLogger): Promise<OpenedDatabase> {
  const addresses = outsideAddresses(config)
  if (addresses) {
    return { ...addresses, hasProductSchema: await openOutside(addresses, config, log), stop: async () => undefined }
  }
  const postgresLog = log.child({ part: 'postgres' })
  let stopping = false
  const server = await startEmbedded({
    dataDir: config.dataDir,
    password: secrets.databasePassword,
    onLog: (line) => (isAlarming(line, stopping) ? postgresLog.warn(line) : postgresLog.debug(line)),
  })
  try {
    const ownerUrl = server.url(databaseName)
    await ensureDatabase(server.url('postgres'), databaseName)
    await requireRestored(ownerUrl)
    if (config.migrate) await requireKnown(ownerUrl)
    logApplied(await migrate(ownerUrl), log)
    await setGatewayPassword(ownerUrl, secrets.databasePassword)
    return {
      ownerUrl,
      requestUrl: ownerUrl.replace('//postgres:', '//authenticator:'),
      hasProductSchema: true,
      stop: () => {
        stopping = true
        return server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** @returns whether it has the product's schemas. @throws ConfigError when it can't serve the product. */
async function openOutside(
  addresses: { readonly requestUrl: string; readonly ownerUrl: string },
  config: Config,
  log: FastifyBaseLogger,
): Promise<boolean> {
  const { migrate: migrates } = config
  refuse(await findDatabaseFaults(addresses, config, migrates), log)
  await requireRestored(addresses.ownerUrl)
  if (migrates) {
    await requireKnown(addresses.ownerUrl)
    logApplied(await migrate(addresses.ownerUrl), log)
  }
  const hasProductSchema = migrates || (await hasOurSchemas(addresses.ownerUrl))
  if (hasProductSchema) {
    refuse(await grantMemberships(addresses), log)
    // Behind such a pooler, long reads and live updates use the direct address as the users' roles too.
    const { ownerUrl } = addresses
    if (config.databasePooling === 'transaction')
      refuse(await grantMemberships({ requestUrl: ownerUrl, ownerUrl }), log)
  }
  return hasProductSchema
}

function refuse(faults: readonly DatabaseFault[], log: FastifyBaseLogger) {
  const fatal = faults.filter(({ passes }) => !passes)
  if (fatal.length > 0) throw new ConfigError(fatal.map(describeFault).join(' '))
  for (const fault of faults) log.warn(describeFault(fault))
}

/** Running nodes of an old version still serve while a new one migrates; one that starts afterwards would lack the new schema. */
async function requireKnown(ownerUrl: string) {
  const complaint = describeNewer(await findNewerMigrations(ownerUrl))
  if (complaint !== undefined) throw new ConfigError(complaint)
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

/** FATAL lines for our own start-up probes, and for connections that a stop ends, are expected. */
function isAlarming(line: string, stopping: boolean): boolean {
  if (!/\b(FATAL|PANIC)\b/.test(line) || /the database system is starting up/.test(line)) return false
  return !(stopping && /terminating connection due to administrator command/.test(line))
}
