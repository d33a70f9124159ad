import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect as connectTo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Ovation, startOvation } from '../start.ts'
import { type OutsidePostgres, startOutsidePostgres } from '../testing/outside-postgres.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { withClient } from './migrate.ts'
import { Replica } from './replica.ts'

// Two nodes of one installation, and a replica that is always as far behind as this.
const behindMs = 250
let primary: OutsidePostgres
let replica: OutsidePostgres
let redis: TestRedis
let nodes: Ovation[]
let anonKey: string
const folders: string[] = []
const clients: SupabaseClient[] = []

const onReplica = (text: string) => withClient(replica.urlOf('postgres'), (client) => client.query(text))
const connect = (node: Ovation | undefined, headers: Record<string, string> = {}) => {
  const client = createClient(node?.url ?? '', anonKey, { auth: { persistSession: false }, global: { headers } })
  clients.push(client)
  return client
}
async function figure(name: string): Promise<number> {
  let sum = 0
  for (const { url } of nodes) {
    const text = await (await fetch(`${url}/metrics`)).text()
    for (const [, value] of text.matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'gm'))) sum += Number(value)
  }
  return sum
}
const replicaReads = () => figure('ovation_replica_reads_total')

/** A new account, as seen from both nodes. */
async function signUp(name: string) {
  const first = connect(nodes[0])
  const email = `${name}@example.com`
  const { data, error } = await first.auth.signUp({ email, password: 'correct horse battery' })
  expect(error).toBeNull()
  const second = connect(nodes[1], { Authorization: `Bearer ${data.session?.access_token}` })
  return { first, second, userId: data.user?.id ?? '' }
}

/** Resolves once the account has been away from the primary long enough. */
async function answeredByReplica(reader: SupabaseClient) {
  await eventually(async () => {
    await delay(1_200) // longer than an account stays with the primary
    const before = await replicaReads()
    expect((await reader.from('profiles').select('id').limit(1)).error).toBeNull()
    expect(await replicaReads()).toBe(before + 1)
  })
}

async function start(): Promise<Ovation> {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-replicas-'))
  const [before] = folders
  if (before !== undefined) copyFileSync(join(before, 'secrets.json'), join(folder, 'secrets.json'))
  folders.push(folder)
  return startOvation({
    NODE_ENV: 'test',
    PORT: '0',
    DEMO: '0',
    WORKERS: '1',
    LOG_LEVEL: 'fatal',
    DATA_DIR: folder,
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URLS: replica.url,
    REDIS_URL: redis.url,
  })
}

beforeAll(async () => {
  ;[primary, redis] = await Promise.all([startOutsidePostgres(), startRedis()])
  replica = await primary.addStandby()
  nodes = [await start()]
  nodes.push(await start())
  const [folder = ''] = folders
  anonKey = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')).anonKey
  await onReplica(`alter system set recovery_min_apply_delay = ${behindMs}`)
  await onReplica('select pg_reload_conf()')
}, 120_000)
afterAll(async () => {
  for (const client of clients) await client.removeAllChannels()
  for (const node of nodes ?? []) await node.stop()
  await replica?.stop()
  await primary?.stop()
  await redis?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('reads from a replica', () => {
  it('are answered by it for people who have seen nothing newer, and not for what must be current [SCALE-02]', async () => {
    const { second } = await signUp('ada')
    await answeredByReplica(second)
    const visitor = connect(nodes[0])
    const between = await replicaReads()
    expect((await visitor.from('posts').select('id')).error).toBeNull()
    expect((await visitor.rpc('count_creators')).error).toBeNull()
    expect(await replicaReads()).toBe(between + 2)
    expect((await second.from('subscriptions').select('id')).error).toBeNull()
    expect((await second.from('posts').select('id, purchases(id)')).error).toBeNull()
    expect(await replicaReads()).toBe(between + 2)
  }, 60_000)

  it('show an account its own writes at once, whichever node it asks [SCALE-02]', async () => {
    const { first, second, userId } = await signUp('bea')
    // At once after the sign-up, which wrote the profile.
    expect((await second.from('profiles').select('user_id').eq('user_id', userId)).data).toHaveLength(1)
    const before = await replicaReads()
    await answeredByReplica(second)
    for (let round = 0; round < 12; round++) {
      const bio = `round ${round}`
      expect((await first.from('profiles').update({ bio }).eq('user_id', userId)).error).toBeNull()
      for (const reader of [second, first]) {
        const { data } = await reader.from('profiles').select('bio').eq('user_id', userId).single()
        expect(data).toEqual({ bio })
      }
      // Until the replica answers this account again.
      if (round % 4 === 3) await delay(1_200)
      const { data } = await second.from('profiles').select('bio').eq('user_id', userId).single()
      expect(data).toEqual({ bio })
    }
    expect(await replicaReads()).toBeGreaterThanOrEqual(before + 3)
  }, 60_000)

  it('show everyone a change that they have just received live [SCALE-02]', async () => {
    const { first: writer, userId } = await signUp('cleo')
    const { second: reader } = await signUp('dora')
    const heard: string[] = []
    const seen: string[] = []
    const channel = reader.channel('profiles')
    channel.on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'profiles' }, async ({ new: row }) => {
      heard.push(row.bio)
      const { data } = await reader.from('profiles').select('bio').eq('user_id', userId).single()
      seen.push(data?.bio)
    })
    const joined = Promise.withResolvers<void>()
    channel.subscribe((status) => status === 'SUBSCRIBED' && joined.resolve())
    await joined.promise
    await answeredByReplica(reader)
    const before = await replicaReads()
    const written = ['one', 'two', 'three']
    for (const bio of written) {
      await delay(1_200)
      expect((await writer.from('profiles').update({ bio }).eq('user_id', userId)).error).toBeNull()
      await eventually(() => expect(seen.at(-1)).toBe(bio))
    }
    expect(heard).toEqual(written)
    expect(seen).toEqual(written)
    expect(await replicaReads()).toBeGreaterThanOrEqual(before + written.length)
  }, 60_000)

  it('go to the primary while the replica is too far behind [SCALE-02]', async () => {
    const { first: writer, userId } = await signUp('ella')
    const visitor = connect(nodes[1])
    const read = async () => (await visitor.from('profiles').select('bio').eq('user_id', userId).single()).data?.bio
    await onReplica('select pg_wal_replay_pause()')
    try {
      expect((await writer.from('profiles').update({ bio: 'paused' }).eq('user_id', userId)).error).toBeNull()
      await delay(600)
      const before = await replicaReads()
      expect(await read()).toBe('paused')
      expect(await replicaReads()).toBe(before)
      expect(await figure('ovation_replica_behind_seconds')).toBeGreaterThan(1)
    } finally {
      await onReplica('select pg_wal_replay_resume()')
    }
    const before = await replicaReads()
    await eventually(async () => {
      expect(await read()).toBe('paused')
      expect(await replicaReads()).toBeGreaterThan(before)
    })
  }, 60_000)

  it('that are under way when the replica freezes are answered by the primary [SCALE-02]', async () => {
    const visitor = connect(nodes[0])
    const read = () => visitor.from('profiles').select('id').limit(1)
    await eventually(async () => {
      const before = await replicaReads()
      expect((await read()).error).toBeNull()
      expect(await replicaReads()).toBe(before + 1)
    })
    replica.freeze()
    try {
      const answers = await Promise.all(Array.from({ length: 5 }, read))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    } finally {
      replica.thaw()
    }
    await eventually(async () => {
      const before = await replicaReads()
      expect((await read()).error).toBeNull()
      expect(await replicaReads()).toBe(before + 1)
    })
  }, 60_000)

  it('never come from another server that an address leads to', async () => {
    const ports = [primary, replica].map(({ url }) => Number(new URL(url).port))
    let connections = 0
    const balancer = createServer((socket) => {
      const server = connectTo({ host: '127.0.0.1', port: ports[connections++ % ports.length] ?? 0 })
      for (const [one, other] of [[socket, server] as const, [server, socket] as const])
        one.on('error', () => other.destroy()).pipe(other)
    })
    await once(balancer.listen(0, '127.0.0.1'), 'listening')
    const address = new URL(primary.url)
    address.port = String((balancer.address() as AddressInfo).port)
    const pools = [0, 0].map(() => new pg.Pool({ connectionString: address.href, max: 1 }))
    try {
      const [requests, watch] = pools as [pg.Pool, pg.Pool]
      const several = new Replica(requests, watch)
      await several.look([{ at: 0, bytes: 0 }])
      await expect(several.connect()).rejects.toThrow('the address of a replica leads to several servers')
      const client = await several.connect()
      const { rows } = await client.query('select inet_server_port() as port')
      expect(rows).toEqual([{ port: ports[0] }])
      client.release()
    } finally {
      for (const pool of pools) await pool.end()
      balancer.close()
    }
  })

  it('of accounts go to the primary while the nodes can’t tell each other who has written [SCALE-02]', async () => {
    const { first, second, userId } = await signUp('fern')
    await answeredByReplica(second)
    await redis.stop()
    const before = await replicaReads()
    for (const bio of ['one', 'two']) {
      expect((await first.from('profiles').update({ bio }).eq('user_id', userId)).error).toBeNull()
      expect((await second.from('profiles').select('bio').eq('user_id', userId).single()).data).toEqual({ bio })
    }
    expect(await replicaReads()).toBe(before)
  }, 60_000)
})
