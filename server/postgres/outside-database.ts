import { randomBytes } from 'node:crypto'
import type { ClientConfig } from 'pg'
import type { Config } from '../config.ts'
import { userOf } from '../database-hosts.ts'
import { Client } from './client.ts'
import { isConnectionLoss } from './connection-loss.ts'
import { withClient } from './migrate.ts'
import { identifier } from './sql.ts'

/** Why an operator's PostgreSQL can't serve the product, and the fix. */
export type DatabaseFault = {
  readonly seen: string
  readonly fix: string
  /** It may be temporary, e.g. until another node stops, so it doesn't prevent a start. */
  readonly passes?: boolean
}

type Addresses = {
  /** `DATABASE_URL`: requests. */
  readonly requestUrl: string
  /** `DATABASE_DIRECT_URL`, or the same: migrations, jobs, LISTEN, and the write-ahead log. */
  readonly ownerUrl: string
}

/** What the operator says of the pooler in `DATABASE_URL`, if there is one, and of other machines. */
type Settings = Pick<Config, 'databasePooling' | 'databasePreparedStatements' | 'redisUrl'>

const oldestPostgres = 15
/** Roles that requests run as. */
const requestRoles = ['anon', 'authenticated', 'service_role']
const prepare = 'Run the SQL of docs/operations.md, "Your own PostgreSQL", as a superuser'

/** The addresses of an outside database; undefined: there is none. */
export function outsideAddresses({ databaseUrl, databaseDirectUrl }: Config): Addresses | undefined {
  return databaseUrl === undefined ? undefined : { requestUrl: databaseUrl, ownerUrl: databaseDirectUrl ?? databaseUrl }
}

/**
 * Checks whether an outside PostgreSQL can serve the product: it is reachable and writable, a pooler in front of it is the one that the
 * settings expect, and the login role may follow the log and create the missing roles. Runs before the first migration and changes nothing.
 * @param ours false: a database that is served unchanged, which needs neither the log nor our roles.
 */
export async function findDatabaseFaults(
  { requestUrl, ownerUrl }: Addresses,
  settings: Settings,
  ours = true,
): Promise<DatabaseFault[]> {
  const isDirect = ownerUrl !== requestUrl
  const ownerVariable = isDirect ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  const unreachable =
    (await findUnreachable(requestUrl, 'DATABASE_URL')) ??
    (isDirect ? await findUnreachable(ownerUrl, ownerVariable) : undefined)
  if (unreachable) return [unreachable]
  if (await hasTransactionPooling(requestUrl)) {
    if (settings.databasePooling !== 'transaction') return [unexpectedPooling]
    if (!isDirect) return [pooledDirectUrl]
    if (settings.databasePreparedStatements && !(await keepsPreparedStatements(requestUrl))) return [lostStatements]
  }
  if (isDirect && (await hasTransactionPooling(ownerUrl))) return [pooledDirectUrl]
  if (isDirect && (await identityOf(requestUrl)) !== (await identityOf(ownerUrl)))
    return [
      {
        seen: 'DATABASE_DIRECT_URL and DATABASE_URL name different databases',
        fix: 'Set both to the same database, once through the pooler and once without it',
      },
    ]
  if (!ours) return []
  const server = await findServerFaults(ownerUrl, ownerVariable)
  if (server.length > 0) return server
  const replication = await findReplicationFaults(ownerUrl, ownerVariable)
  return settings.redisUrl === undefined ? replication : [...replication, ...(await findUnlimitedSlots(ownerUrl))]
}

/**
 * Missing memberships, without which no request works: the login role must be a member of the request roles. Checked once
 * the database is migrated.
 */
export async function findMissingMemberships(requestUrl: string): Promise<{ user: string; roles: string[] }> {
  return withClient(requestUrl, async (client) => {
    const { rows } = await client.query<{ user: string; role: string }>(
      // Since PostgreSQL 16 a member may lack the permission to become the role.
      `select current_user as user, role from unnest($1::text[]) as role
       where to_regrole(role) is null or not pg_has_role(current_user, to_regrole(role)::oid,
         case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)`,
      [requestRoles],
    )
    return { user: rows[0]?.user ?? '', roles: rows.map(({ role }) => role) }
  })
}

/** Grants them where the owner may, as for roles that it created. @returns the memberships that are still missing. */
export async function grantMemberships({ requestUrl, ownerUrl }: Addresses): Promise<DatabaseFault[]> {
  const missing = await findMissingMemberships(requestUrl)
  if (missing.roles.length === 0) return []
  const grant = `grant ${missing.roles.map(identifier).join(', ')} to ${identifier(missing.user)}`
  try {
    await withClient(ownerUrl, (client) => client.query(grant))
  } catch (error) {
    if (!isRefused(error)) throw error
  }
  return membershipFaults(await findMissingMemberships(requestUrl))
}

export function membershipFaults({ user, roles }: { user: string; roles: readonly string[] }): DatabaseFault[] {
  if (roles.length === 0) return []
  const grant = `grant ${roles.join(', ')} to ${identifier(user)}`
  return [
    {
      seen: `the role ${user} may not become ${roles.join(', ')}, so no request could be answered`,
      fix: `Run as a superuser: ${grant};`,
    },
  ]
}

/** The sentence of the first fault. */
export const describeFault = ({ seen, fix }: DatabaseFault): string => `The database can't be used: ${seen}. ${fix}.`

async function findUnreachable(url: string, variable: string): Promise<DatabaseFault | undefined> {
  try {
    await withClient(url, (client) => client.query('select 1'))
    return undefined
  } catch (error) {
    return {
      // The address isn't repeated: it may hold a password.
      seen: `${variable} names a PostgreSQL that doesn't let us in (${reasonOf(error)})`,
      fix: `Check its host, port, user, password, and database, and that PostgreSQL runs`,
    }
  }
}

/**
 * Whether connections share sessions of the server, as with PgBouncer's `pool_mode = transaction`. Three clients read their session id
 * twice: without a pooler, and with session pooling, each has its own session and keeps it.
 */
async function hasTransactionPooling(url: string): Promise<boolean> {
  const clients = Array.from({ length: 3 }, () => new Client({ connectionString: url, application_name: 'ovation' }))
  const sessions = new Map<Client, string>()
  try {
    for (const client of clients) {
      client.on('error', () => undefined) // the query reports it
      await client.connect()
    }
    // In both orders, to detect a pooler that assigns its sessions in turn.
    for (const client of [...clients, ...clients.toReversed()]) {
      const { rows } = await client.query<{ session: string }>(
        `select pid || ' ' || backend_start as session from pg_stat_activity where pid = pg_backend_pid()`,
      )
      const session = rows[0]?.session ?? ''
      const known = sessions.get(client)
      if (known !== undefined && known !== session) return true
      if (known === undefined && [...sessions.values()].includes(session)) return true
      sessions.set(client, session)
    }
    return false
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined))) // some never connected
  }
}

/** Whether statements that two clients prepare under one name stay apart, as with PgBouncer from 1.21 on. */
async function keepsPreparedStatements(url: string): Promise<boolean> {
  const name = `ovation_probe_${randomBytes(6).toString('hex')}`
  try {
    return await withClient(url, (one) =>
      withClient(url, async (other) => {
        const ask = async (client: Pick<Client, 'query'>, text: string) =>
          (await client.query<{ found: string }>({ name, text })).rows[0]?.found
        const first = await ask(one, `select 'one' as found`)
        const second = await ask(other, `select 'other' as found`)
        const again = await ask(one, `select 'one' as found`)
        return first === 'one' && second === 'other' && again === 'one'
      }),
    )
  } catch (error) {
    // 42P05: the session has a statement of this name already; 26000: it has none.
    if (['42P05', '26000'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

const pooled = (variable: string) => `${variable} leads through a pooler that shares sessions between transactions`
const unexpectedPooling: DatabaseFault = {
  seen: pooled('DATABASE_URL'),
  fix: 'Set DATABASE_POOLING=transaction and DATABASE_DIRECT_URL to the address of PostgreSQL itself, or use pool_mode = session',
}
const pooledDirectUrl: DatabaseFault = {
  seen: pooled('DATABASE_DIRECT_URL'),
  fix: 'Name PostgreSQL itself: migrations, jobs, and live updates keep state in their sessions',
}
const lostStatements: DatabaseFault = {
  seen: 'the pooler in DATABASE_URL loses prepared statements between transactions',
  fix: 'Set DATABASE_PREPARED_STATEMENTS=0, or use PgBouncer 1.21 or newer with max_prepared_statements',
}

async function identityOf(url: string): Promise<string> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ identity: string }>(
      `select system_identifier || '/' || d.oid as identity from pg_control_system(), pg_database d
       where d.datname = current_database()`,
    ),
  )
  return rows[0]?.identity ?? ''
}

async function findServerFaults(ownerUrl: string, variable: string): Promise<DatabaseFault[]> {
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query<{
      user: string
      number: number
      version: string
      readonly: boolean
      wal: string
      encoding: string
      missing: string[]
      creates: boolean
      bypasses: boolean
    }>(
      `select current_user as user, current_setting('server_version_num')::int / 10000 as number,
         current_setting('server_version') as version, pg_is_in_recovery() or current_setting('transaction_read_only')::bool as readonly,
         current_setting('wal_level') as wal, current_setting('server_encoding') as encoding,
         array(select r from unnest(array['anon', 'authenticated', 'authenticator', 'view_owner', 'service_role']) r
               where to_regrole(r) is null) as missing,
         rolsuper or rolcreaterole as creates,
         rolsuper or (rolcreaterole and rolbypassrls and current_setting('server_version_num')::int >= 160000) as bypasses
       from pg_roles where rolname = current_user`,
    ),
  )
  const [found] = rows
  if (!found) return []
  const { user, missing } = found
  const faults: DatabaseFault[] = []
  const say = (seen: string, fix: string) => faults.push({ seen, fix })
  if (found.number < oldestPostgres)
    say(`it is PostgreSQL ${found.version}`, `Use PostgreSQL ${oldestPostgres} or newer`)
  if (found.readonly)
    say(
      `${variable} names a replica, or a server that takes no writes`,
      'Name the primary, or an address that always leads to it (deploy/haproxy.cfg)',
    )
  if (found.encoding !== 'UTF8') say(`its encoding is ${found.encoding}`, 'Use a database with encoding UTF8')
  if (found.wal !== 'logical')
    say(`wal_level is ${found.wal}`, 'Set wal_level = logical and restart PostgreSQL: realtime/v1 reads the log')
  if (missing.includes('service_role') && !found.bypasses)
    say(`the role service_role is missing, and ${user} may not create it with bypassrls`, prepare)
  else if (missing.length > 0 && !found.creates)
    say(`the roles ${missing.join(', ')} are missing, and ${user} may not create roles`, prepare)
  return faults
}

/** The slot of several machines stays while none of them runs. */
async function findUnlimitedSlots(ownerUrl: string): Promise<DatabaseFault[]> {
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query<{ size: string }>(`select current_setting('max_slot_wal_keep_size') as size`),
  )
  if (rows[0]?.size !== '-1') return []
  return [
    {
      seen: 'max_slot_wal_keep_size has no limit, so the log would fill the disk while no node runs',
      fix: 'Set max_slot_wal_keep_size, for example to 4GB',
      passes: true,
    },
  ]
}

/** Opens the connection that realtime/v1 would open, and takes a slot on it, which ends with the connection. */
export async function findReplicationFaults(ownerUrl: string, variable: string): Promise<DatabaseFault[]> {
  const client = new Client({
    connectionString: ownerUrl,
    application_name: 'ovation',
    replication: 'database',
  } as ClientConfig)
  client.on('error', () => undefined) // the query reports it
  try {
    await client.connect()
    // Physical: a logical one would wait for every open transaction.
    await client.query(`CREATE_REPLICATION_SLOT "ovation_probe_${randomBytes(6).toString('hex')}" TEMPORARY PHYSICAL`)
    return []
  } catch (error) {
    return [describeReplication(error, variable, userOf(ownerUrl))]
  } finally {
    await client.end().catch(() => undefined) // it never connected
  }
}

function describeReplication(error: unknown, variable: string, user: string): DatabaseFault {
  const { code = '' } = error as { code?: string }
  const said = reasonOf(error)
  if (/startup parameter/.test(said))
    return {
      seen: `${variable} leads through a pooler that passes no replication on (${said})`,
      fix: 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself: migrations, jobs, and realtime/v1 use it',
    }
  if (code === '53300' || code === '53400')
    return {
      seen: `no replication slot or sender is free (${said})`,
      fix: 'Raise max_replication_slots and max_wal_senders: the installation takes one, and one more for each start',
      passes: true,
    }
  if (isConnectionLoss(error))
    return {
      seen: `the write-ahead log can't be read now (${said})`,
      fix: 'Nothing, if PostgreSQL is starting, or a replica takes over: live updates continue when it is back',
    }
  return {
    seen: `${user === '' ? 'the login role' : `the role ${user}`} may not follow the write-ahead log (${said})`,
    fix: `Run as a superuser: alter role ${user === '' ? '…' : identifier(user)} replication; and allow it in pg_hba.conf`,
  }
}

/** A connection that fails at every address of a host has the reason in its inner errors. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

const isRefused = (error: unknown): boolean => (error as { code?: unknown }).code === '42501'
