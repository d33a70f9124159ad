import type { Config } from '../config.ts'
import type { Database } from '../postgres/database.ts'
import { findMissingMemberships, findReplicationFaults } from '../postgres/outside-database.ts'
import { freeBytes } from './free-bytes.ts'
import type { Services } from './services.ts'

/** How long a full disk counts as full. It may have space again after that, which only a write can tell. */
const fullMs = 30_000

/** Whether the database is the operator's own, whose role may lose permissions. */
export const isOutside = ({ config, hasProductSchema }: Pick<Services, 'config' | 'hasProductSchema'>): boolean =>
  hasProductSchema && config.databaseUrl !== undefined

/** @throws if a write found the disk of the database full a moment ago. */
export function requireWritable(database: Pick<Database, 'wasFullWithin'>): void {
  if (database.wasFullWithin(fullMs)) throw new Error("The database's disk is full")
}

/** The database answers, but no request can be served by it, nor by a replica. */
export class MissingMemberships extends Error {}

/** @throws MissingMemberships if the role of requests may not become the users' roles. */
export async function requireMemberships({ requestUrl }: Pick<Database, 'requestUrl'>): Promise<void> {
  const { user, roles } = await findMissingMemberships(requestUrl)
  if (roles.length > 0) throw new MissingMemberships(`The role ${user} may not become ${roles.join(', ')}`)
}

/** @throws if live updates can't follow the write-ahead log. */
export async function requireReplication({ ownerUrl }: Pick<Database, 'ownerUrl'>): Promise<void> {
  const [fault] = await findReplicationFaults(ownerUrl, 'the database')
  if (fault) throw new Error(fault.seen)
}

/** @throws if the disk of `DATA_DIR` has less than HEALTH_MIN_FREE_MB. */
export async function requireFreeSpace({ dataDir, minFreeBytes }: Config): Promise<void> {
  const free = await freeBytes(dataDir)
  if (free < minFreeBytes)
    throw new Error(`DATA_DIR has ${Math.floor(free / 1024 ** 2)} MB free, less than HEALTH_MIN_FREE_MB`)
}
