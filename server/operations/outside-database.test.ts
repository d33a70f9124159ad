import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { parseConfig } from '../config.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { withClient } from '../postgres/migrate.ts'
import { findDatabaseFaults, findReplicationFaults } from '../postgres/outside-database.ts'
import { type Ovation, startOvation } from '../start.ts'
import { freePort } from '../testing/free-port.ts'
import { type OutsidePostgres, startOutsidePostgres } from '../testing/outside-postgres.ts'
import {
  knowsPreparedStatements,
  type PgBouncer,
  type PgBouncerOptions,
  passesReplication,
  startPgBouncer,
} from '../testing/pgbouncer.ts'
import { examine } from './doctor.ts'
import type { PartHealth } from './measure-health.ts'

/** The SQL in docs/operations.md that an operator runs as a superuser. */
const documented = /## Your own PostgreSQL[\s\S]*?```sql\n([\s\S]*?)```/.exec(
  readFileSync(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8'),
)?.[1]

let postgres: OutsidePostgres
let stops: (() => Promise<unknown>)[] = []
const folders: string[] = []

beforeAll(async () => {
  postgres = await startOutsidePostgres()
  await asSuperuser('drop database ovation') // the documented one replaces it
  for (const statement of (documented ?? '').split(';')) if (statement.trim()) await asSuperuser(statement)
}, 60_000)
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  stops = []
})
afterAll(async () => {
  await postgres?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Another server, prepared with the documented SQL. */
async function startDocumented(): Promise<OutsidePostgres> {
  const server = await startOutsidePostgres()
  await withClient(server.urlOf('postgres'), async (client) => {
    await client.query('drop database ovation')
    for (const statement of (documented ?? '').split(';')) if (statement.trim()) await client.query(statement)
  })
  return server
}

const asSuperuser = (text: string, database = 'postgres') =>
  withClient(postgres.urlOf(database), (client) => client.query(text))
const environment = (url: string, more: Record<string, string> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-outside-'))
  folders.push(dataDir)
  return { NODE_ENV: 'test', PORT: '0', DEMO: '0', LOG_LEVEL: 'fatal', DATA_DIR: dataDir, DATABASE_URL: url, ...more }
}

async function start(url: string, more: Record<string, string> = {}) {
  const env = environment(url, more)
  const product = await startOvation(env)
  stops.push(product.stop)
  const { anonKey } = JSON.parse(readFileSync(join(env.DATA_DIR, 'secrets.json'), 'utf8'))
  return { ...product, anonKey, env }
}

async function pooled(mode: 'session' | 'transaction', options?: PgBouncerOptions): Promise<PgBouncer> {
  const pooler = await startPgBouncer(postgres.urlOf('ovation', 'ovation'), mode, options)
  stops.push(pooler.stop)
  return pooler
}

async function signUp({ url, anonKey }: Ovation & { anonKey: string }, name: string) {
  const client = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
  const { data, error } = await client.auth.signUp({ email: `${name}@example.com`, password: 'correct horse battery' })
  expect(error).toBeNull()
  return { client, data }
}

/** What a new user does: signs up, reads and writes, and receives the change live. */
async function useIt(product: Ovation & { anonKey: string }, name: string) {
  const { client, data } = await signUp(product, name)
  const heard: unknown[] = []
  const statuses: string[] = []
  const channel = client
    .channel('profiles')
    .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'profiles' }, ({ new: row }) =>
      heard.push(row.display_name),
    )
    .subscribe((status) => statuses.push(status))
  // Opening the log can take a busy machine longer than a first attempt waits; the client tries again.
  await eventually(() => expect(statuses.at(-1)).toBe('SUBSCRIBED'))
  const changed = await client.from('profiles').update({ display_name: name }).eq('user_id', data.user?.id).select()
  expect(changed.error).toBeNull()
  await eventually(() => expect(heard).toEqual([name]))
  await channel.unsubscribe()
  client.realtime.disconnect()
}

const ready = async ({ url }: Ovation) => {
  const answer = await fetch(`${url}/health/ready`)
  return { status: answer.status, body: await answer.json() }
}

describe('an outside PostgreSQL with an ordinary role', () => {
  it('serves the whole product after the SQL of docs/operations.md, and nothing else [SCALE-03]', async () => {
    const product = await start(postgres.urlOf('ovation', 'ovation'))
    await useIt(product, 'ada')
    expect(await ready(product)).toEqual({ status: 200, body: { status: 'ok' } })
    const findings = await examine(parseConfig(product.env))
    expect(findings.filter(({ part, state }) => part === 'database' && state === 'failed')).toEqual([])
  }, 120_000)

  it('serves it after the same SQL on PostgreSQL 18, whose members need a separate permission to become a role', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ovation-outside-'))
    folders.push(dataDir)
    const newest = await startEmbedded({ dataDir, password: 'superuser', settings: { fsync: 'off' } })
    stops.push(newest.stop)
    await withClient(newest.url('postgres'), async (client) => {
      for (const statement of (documented ?? '').split(';')) if (statement.trim()) await client.query(statement)
    })
    const url = new URL(newest.url('ovation'))
    url.username = 'ovation'
    url.password = 'a long random password'
    await useIt(await start(url.href), 'dora')
  }, 120_000)

  it('serves it again when its database was dropped and created again, while its roles stayed', async () => {
    await asSuperuser('drop database ovation')
    await asSuperuser('create database ovation owner ovation')
    await useIt(await start(postgres.urlOf('ovation', 'ovation')), 'berta')
  }, 120_000)

  it('is rejected at the start for each permission that its role lacks, with the statement that grants it', async () => {
    await asSuperuser('create role plain login')
    await asSuperuser('create database plain owner plain')
    const url = postgres.urlOf('plain', 'plain')
    await expect(startOvation(environment(url))).rejects.toThrow('Run as a superuser: alter role "plain" replication;')
    await asSuperuser('alter role plain replication createrole')
    await asSuperuser('grant service_role to plain with admin option')
    await asSuperuser('revoke anon, authenticated from ovation')
    await start(url) // it grants itself what it may
    for (const stop of stops.splice(0)) await stop()

    // Without CREATEROLE it may not, and the error says so.
    await asSuperuser('revoke anon, authenticated, service_role from plain')
    await asSuperuser('alter role plain nocreaterole')
    const missing = 'the role plain may not become anon, authenticated, service_role'
    await expect(startOvation(environment(url))).rejects.toThrow(
      'Run as a superuser: grant anon, authenticated, service_role to "plain";',
    )
    const findings = await examine(parseConfig(environment(url)))
    expect(findings.find(({ part, state }) => part === 'database' && state === 'failed')?.seen).toContain(missing)
  }, 120_000)

  it("names the statement when the role of the service is missing and can't be created", async () => {
    const bare = await startOutsidePostgres()
    stops.push(bare.stop)
    await withClient(bare.url, async (client) => {
      await client.query('create role ovation login createrole replication')
      await client.query('alter database ovation owner to ovation')
    })
    await expect(startOvation(environment(bare.urlOf('ovation', 'ovation')))).rejects.toThrow(
      /the role service_role is missing, .* docs\/operations\.md, "Your own PostgreSQL", as a superuser\./,
    )
  }, 60_000)

  it("answers 503 when a membership is revoked later, and reports degraded when it can't follow the log any more", async () => {
    const product = await start(postgres.urlOf('ovation', 'ovation'), { HEALTH_CACHE_SECONDS: '0' })
    expect((await ready(product)).status).toBe(200)
    await asSuperuser('revoke authenticated from ovation')
    expect(await ready(product)).toEqual({ status: 503, body: { status: 'unavailable', failing: ['database'] } })
    await asSuperuser('grant authenticated to ovation')
    await asSuperuser('alter role ovation noreplication')
    expect(await ready(product)).toEqual({ status: 200, body: { status: 'degraded', failing: ['realtime'] } })
    await asSuperuser('alter role ovation replication')
    expect(await ready(product)).toEqual({ status: 200, body: { status: 'ok' } })
  }, 120_000)

  it('answers 503 when a membership is revoked, even if a replica would answer [SCALE-03]', async () => {
    const replica = await postgres.addStandby()
    stops.push(replica.stop)
    const url = postgres.urlOf('ovation', 'ovation')
    const product = await start(url, {
      HEALTH_CACHE_SECONDS: '0',
      DATABASE_REPLICA_URLS: replica.urlOf('ovation', 'ovation'),
    })
    await asSuperuser('revoke authenticated from ovation')
    expect(await ready(product)).toEqual({ status: 503, body: { status: 'unavailable', failing: ['database'] } })
    await asSuperuser('grant authenticated to ovation')
    expect(await ready(product)).toEqual({ status: 200, body: { status: 'ok' } })
  }, 120_000)

  it('shows admins which permission its role has lost [GEN-05]', async () => {
    const product = await start(postgres.urlOf('ovation', 'ovation'))
    const { client, data } = await signUp(product, 'edda')
    await asSuperuser(`insert into public.user_roles (user_id, role) values ('${data.user?.id}', 'admin')`, 'ovation')
    const database = async () => {
      const { data: health, error } = await client.functions.invoke('get-system-health')
      expect(error).toBeNull()
      return (health.parts as PartHealth[]).find(({ part }) => part === 'database')
    }
    expect(await database()).toMatchObject({ state: 'ok' })
    await asSuperuser('revoke anon from ovation')
    expect(await database()).toMatchObject({ state: 'failed', seen: 'The role ovation may not become anon' })
    await asSuperuser('grant anon to ovation')
    await asSuperuser('alter role ovation noreplication')
    const seen = expect.stringContaining('the role ovation may not follow the write-ahead log')
    expect(await database()).toMatchObject({ state: 'failed', seen })
    await asSuperuser('alter role ovation replication')
  }, 120_000)
})

describe('an outside PostgreSQL that is unusable', () => {
  it('is named by its variable when it is unreachable, or the password is wrong', async () => {
    const url = `postgres://ovation:secret-word@127.0.0.1:${await freePort()}/ovation`
    const refusal = startOvation(environment(url))
    await expect(refusal).rejects.toThrow(/^The database can't be used: DATABASE_URL names a PostgreSQL .*ECONNREFUSED/)
    await expect(refusal).rejects.not.toThrow(/secret-word/)
    const direct = startOvation(environment(postgres.urlOf('ovation', 'ovation'), { DATABASE_DIRECT_URL: url }))
    await expect(direct).rejects.toThrow(/DATABASE_DIRECT_URL names a PostgreSQL .*ECONNREFUSED/)
  })

  it('isn’t blamed for its role when it goes away, as in a failover [SCALE-01]', async () => {
    const going = createServer((socket) => socket.destroy())
    const port = await freePort()
    await new Promise<void>((done) => going.listen(port, '127.0.0.1', done))
    const [fault] = await findReplicationFaults(`postgres://ovation:word@127.0.0.1:${port}/ovation`, 'DATABASE_URL')
    going.close()
    expect(fault?.seen).toMatch(/^the write-ahead log can't be read now/)
  })

  it('is rejected while it is read-only, like a replica', async () => {
    await asSuperuser('create role reader login createrole replication')
    await asSuperuser('alter role reader set default_transaction_read_only = on')
    await expect(startOvation(environment(postgres.urlOf('ovation', 'reader')))).rejects.toThrow(
      'DATABASE_URL names a replica, or a server that takes no writes.',
    )
  })

  it('is rejected when its log level is too low', async () => {
    const replica = await startOutsidePostgres({ wal_level: 'replica' })
    stops.push(replica.stop)
    await expect(startOvation(environment(replica.url))).rejects.toThrow(
      'wal_level is replica. Set wal_level = logical',
    )
  }, 60_000)

  it('only causes a warning while all slots are taken: they become free when another node stops', async () => {
    const full = await startOutsidePostgres({ max_replication_slots: '1' })
    stops.push(full.stop)
    await withClient(full.url, (client) => client.query(`select pg_create_physical_replication_slot('taken')`))
    const faults = await findDatabaseFaults({ requestUrl: full.url, ownerUrl: full.url }, parseConfig({}))
    expect(faults).toMatchObject([{ passes: true, fix: expect.stringContaining('max_replication_slots') }])
  }, 60_000)
})

describe('a slot that outlives the nodes', () => {
  it('causes a warning while nothing limits what it keeps [SCALE-04]', async () => {
    const url = postgres.urlOf('ovation', 'ovation')
    const warned = { passes: true, fix: 'Set max_slot_wal_keep_size, for example to 4GB' }
    const faults = (settings: NodeJS.ProcessEnv) =>
      findDatabaseFaults({ requestUrl: url, ownerUrl: url }, parseConfig(settings))
    expect(await faults({})).toEqual([])
    expect(await faults({ REDIS_URL: 'redis://127.0.0.1' })).toMatchObject([warned])
    await asSuperuser(`alter system set max_slot_wal_keep_size = '1GB'`)
    await asSuperuser('select pg_reload_conf()')
    await eventually(async () => expect(await faults({ REDIS_URL: 'redis://127.0.0.1' })).toEqual([]))
  })
})

describe('a list of hosts', () => {
  /** The standby first, so that the product has to look for the primary. */
  const several = (hosts: readonly OutsidePostgres[]) => {
    const addresses = hosts.map(({ urlOf }) => new URL(urlOf('ovation', 'ovation')).host)
    return `postgres://ovation@${addresses.join(',')}/ovation?target_session_attrs=read-write`
  }
  const listeners = async ({ url }: OutsidePostgres) => {
    const { rows } = await withClient(url, (client) =>
      client.query(`select query from pg_stat_activity where application_name = 'ovation listen' order by 1`),
    )
    return rows.map(({ query }) => query as string)
  }

  it.each([
    ['has crashed', (primary: OutsidePostgres) => primary.stop()],
    ['is frozen, with all connections open', async (primary: OutsidePostgres) => primary.freeze()],
  ])(
    'serves from the one that takes writes, and from the new one when it %s, without a restart [SCALE-03]',
    async (_, fail) => {
      const primary = await startDocumented()
      const standby = await primary.addStandby()
      stops.push(standby.stop, primary.stop)
      const product = await start(several([standby, primary]))
      await useIt(product, 'fay')
      const before = await listeners(primary)
      expect(before.length).toBeGreaterThan(2)

      // What the standby has not received is lost by its promotion, as with every asynchronous replica.
      await withClient(standby.url, (client) =>
        eventually(async () => {
          const { rows } = await client.query(`select from public.profiles where display_name = 'fay'`)
          expect(rows).toHaveLength(1)
        }),
      )
      await fail(primary)
      const request = fetch(`${product.url}/rest/v1/profiles?limit=1`, { headers: { apikey: product.anonKey } })
      await standby.promote()
      // An answer, at any rate: of the new primary, if that is promoted first.
      expect([200, 503]).toContain((await request).status)
      await eventually(async () => expect((await ready(product)).body).toEqual({ status: 'ok' }))
      await useIt(product, 'gus') // requests, the reader of the log, and live updates
      await eventually(async () => expect(await listeners(standby)).toEqual(before))
      // A notification becomes a job, which runs.
      await withClient(standby.url, async (client) => {
        const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
        await client.query('notify ovation_pushes')
        await eventually(async () => {
          const { rowCount } = await client.query(
            `select from pgboss.job where name = 'notification-pushes' and created_on > $1 and state = 'completed'`,
            [rows[0]?.at],
          )
          expect(rowCount).toBeGreaterThan(0)
        })
      })
    },
    180_000,
  )

  it('is rejected at the start, with the reason of each host, when none takes writes [SCALE-03]', async () => {
    const primary = await startOutsidePostgres()
    await withClient(primary.url, (client) => client.query('create role ovation login'))
    const standby = await primary.addStandby()
    stops.push(standby.stop)
    await primary.stop()
    const refusal = startOvation(environment(several([primary, standby])))
    await expect(refusal).rejects.toThrow(
      /^The database can't be used: DATABASE_URL names .*\(no host takes writes: 127\.0\.0\.1:\d+: connect ECONNREFUSED .*; 127\.0\.0\.1:\d+ is a replica, or takes no writes\)/,
    )
  }, 60_000)
})

describe('a replica', () => {
  it('answers reads while the primary is away [SCALE-03]', async () => {
    const primary = await startDocumented()
    const replica = await primary.addStandby()
    stops.push(replica.stop, primary.stop)
    const product = await start(primary.urlOf('ovation', 'ovation'), {
      DATABASE_REPLICA_URLS: replica.urlOf('ovation', 'ovation'),
    })
    await useIt(product, 'fay')
    const headers = { apikey: product.anonKey, 'content-type': 'application/json' }
    const read = () => fetch(`${product.url}/rest/v1/profiles?select=display_name&display_name=eq.fay`, { headers })
    await withClient(replica.url, (client) =>
      eventually(async () => {
        const { rows } = await client.query(`select from public.profiles where display_name = 'fay'`)
        expect(rows).toHaveLength(1)
      }),
    )
    await primary.stop()
    expect(await (await read()).json()).toEqual([{ display_name: 'fay' }])
    const write = await fetch(`${product.url}/auth/v1/signup`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: 'gus@example.com', password: 'correct horse battery' }),
    })
    expect(write.status).toBe(503)
    expect(await ready(product)).toMatchObject({
      body: { status: 'degraded', failing: expect.arrayContaining(['database']) },
    })
    replica.freeze()
    expect((await ready(product)).body).toMatchObject({ status: 'unavailable' })
    await replica.stop()
    expect((await read()).status).toBe(503)
    expect((await ready(product)).body).toMatchObject({ status: 'unavailable' })
  }, 120_000)

  it.each([
    ['has', 'user_roles'],
    ['has as one of the servers to read from', 'profiles'],
  ])(
    'answers the reads that a frozen primary %s and keeps [SCALE-02]',
    async (_, table) => {
      const primary = await startDocumented()
      const replica = await primary.addStandby()
      stops.push(replica.stop, primary.stop)
      const both = [replica, primary].map(({ urlOf }) => urlOf('ovation', 'ovation'))
      const product = await start(primary.urlOf('ovation', 'ovation'), { DATABASE_REPLICA_URLS: both.join() })
      const people = await Promise.all(['hal', 'ida', 'jon', 'kit', 'lou'].map((name) => signUp(product, name)))
      await delay(6_000) // until none of them is answered by the primary because of the sign-up
      const reads = () => Promise.all(people.map(({ client }) => client.from(table).select('user_id')))
      for (const { error } of await reads()) expect(error).toBeNull()
      await delay(1_500)
      primary.freeze()
      try {
        for (const { error } of await reads()) expect(error).toBeNull()
      } finally {
        primary.thaw()
        for (const { client } of people) client.realtime.disconnect()
      }
    },
    60_000,
  )
})

describe('a pooler in front of PostgreSQL', () => {
  it('is rejected with transaction pooling until the settings say so, by the doctor too [SCALE-03]', async () => {
    const { url } = await pooled('transaction')
    const sentence = 'DATABASE_URL leads through a pooler that shares sessions between transactions'
    await expect(startOvation(environment(url))).rejects.toThrow(sentence)
    const direct = { DATABASE_DIRECT_URL: postgres.urlOf('ovation', 'ovation') }
    await expect(startOvation(environment(url, direct))).rejects.toThrow(
      'Set DATABASE_POOLING=transaction and DATABASE_DIRECT_URL to the address of PostgreSQL itself',
    )
    const findings = await examine(parseConfig(environment(url)))
    expect(findings.filter(({ part }) => part === 'database')).toMatchObject([{ state: 'failed', seen: sentence }])
    await expect(
      startOvation(environment(url, { DATABASE_POOLING: 'transaction', DATABASE_DIRECT_URL: url })),
    ).rejects.toThrow('DATABASE_DIRECT_URL leads through a pooler that shares sessions')
  }, 60_000)

  it('is rejected when it loses prepared statements, as PgBouncer does before 1.21 [SCALE-03]', async () => {
    const { url } = await pooled('transaction')
    const settings = { DATABASE_POOLING: 'transaction', DATABASE_DIRECT_URL: postgres.urlOf('ovation', 'ovation') }
    await expect(startOvation(environment(url, settings))).rejects.toThrow(
      'Set DATABASE_PREPARED_STATEMENTS=0, or use PgBouncer 1.21 or newer',
    )
  }, 60_000)

  it('serves the whole product with transaction pooling and fewer sessions than connections [SCALE-03]', async () => {
    const keepsStatements = knowsPreparedStatements()
    const { url } = await pooled('transaction', { poolSize: 2, keepsStatements })
    const product = await start(url, {
      DATABASE_POOLING: 'transaction',
      DATABASE_PREPARED_STATEMENTS: keepsStatements ? '1' : '0',
      DATABASE_DIRECT_URL: postgres.urlOf('ovation', 'ovation'),
      DATABASE_CONNECTIONS: '20',
    })
    await useIt(product, 'hal')
    expect(await ready(product)).toEqual({ status: 200, body: { status: 'ok' } })
    const findings = await examine(parseConfig(product.env))
    expect(findings.filter(({ part, state }) => part === 'database' && state === 'failed')).toEqual([])
    // Users who ask at the same time share the two sessions, and each sees their own.
    const users: { client: SupabaseClient; own: string }[] = []
    for (const name of ['ida', 'jon', 'kim', 'lea']) {
      const { client, data } = await signUp(product, name)
      const profile = await client.from('profiles').select('id').eq('user_id', data.user?.id).single().throwOnError()
      users.push({ client, own: profile.data.id })
    }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => users)
        .flat()
        .map(async ({ client, own }) => ({ own, ...(await client.from('user_settings').select('user_id')) })),
    )
    for (const { own, error, data } of answers)
      expect({ error, data }).toEqual({ error: null, data: [{ user_id: own }] })
  }, 120_000)

  it('serves the whole product with session pooling and DATABASE_DIRECT_URL, and an old pooler is rejected without the latter', async () => {
    const { url } = await pooled('session')
    if (!passesReplication())
      await expect(startOvation(environment(url))).rejects.toThrow(
        'Set DATABASE_DIRECT_URL to the address of PostgreSQL',
      )
    const product = await start(url, { DATABASE_DIRECT_URL: postgres.urlOf('ovation', 'ovation') })
    await useIt(product, 'clara')
    expect(await ready(product)).toEqual({ status: 200, body: { status: 'ok' } })
  }, 120_000)

  it('must lead to the same database as DATABASE_DIRECT_URL', async () => {
    const { url } = await pooled('session')
    const other = { DATABASE_DIRECT_URL: postgres.urlOf('postgres', 'ovation') }
    await expect(startOvation(environment(url, other))).rejects.toThrow(
      'DATABASE_DIRECT_URL and DATABASE_URL name different databases',
    )
  }, 60_000)
})
