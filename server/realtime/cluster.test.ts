import { randomUUID } from 'node:crypto'
import type { RealtimeChannel, RealtimeChannelOptions } from '@supabase/supabase-js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { parseConfig } from '../config.ts'
import { RedisExchange } from '../exchange/redis-exchange.ts'
import { openRedis } from '../redis.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { startRedis, type TestRedis } from '../testing/redis.ts'
import { Allowances } from './allowances.ts'
import type { Channel } from './channel.ts'
import { Hub } from './hub.ts'
import { Relay } from './relay.ts'

type Joined = {
  channel: RealtimeChannel
  heard: unknown[]
  changes: unknown[]
  /** Tracks after each join, as the app does. */
  stayPresent(): Promise<unknown>
}

async function join(
  client: Person['client'],
  topic: string,
  config: RealtimeChannelOptions['config'] = {},
): Promise<Joined> {
  const channel = client.channel(topic, { config })
  let staysPresent = false
  const joined: Joined = {
    channel,
    heard: [],
    changes: [],
    stayPresent() {
      staysPresent = true
      return channel.track({})
    },
  }
  channel
    .on('broadcast', { event: '*' }, ({ payload }) => joined.heard.push(payload))
    .on('presence', { event: 'sync' }, () => undefined)
    .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, (change) =>
      joined.changes.push(change.new),
    )
  await new Promise<void>((resolve) =>
    channel.subscribe((status) => {
      if (status !== 'SUBSCRIBED') return
      if (staysPresent) void channel.track({})
      resolve()
    }),
  )
  return joined
}
const whoIsIn = ({ channel }: Joined) => Object.keys(channel.presenceState()).toSorted()

describe('two nodes behind Redis', () => {
  let redis: TestRedis
  let first: TestGateway
  let second: TestGateway
  let ada: Person
  let bob: Person
  /** Bob's client on the second node. */
  let away: Person['client']

  beforeAll(async () => {
    redis = await startRedis()
    const env = { REDIS_URL: redis.url, JWT_SECRET: randomUUID() }
    first = await startGateway({ env })
    second = await startGateway({ env, database: first.database })
    ;[ada, bob] = await Promise.all([first.signUp(), first.signUp()])
    away = second.client()
    await away.auth.signInWithPassword({ email: bob.email, password: bob.password })
  })
  afterAll(async () => {
    await second.close()
    await first.close()
    await redis.stop()
  })

  it('form one room: broadcasts as text, as bytes, and over HTTP, presence, private topics [API-RT-01, SET-19]', async () => {
    const topic = ['conversation', ...[ada.profileId, bob.profileId].toSorted()].join(':')
    const here = await join(ada.client, topic, { private: true, presence: { key: 'ada' } })
    const there = await join(away, topic, { private: true, presence: { key: 'bob' } })
    await here.channel.send({ type: 'broadcast', event: 'typing', payload: { n: 1 } })
    await eventually(() => expect(there.heard).toEqual([{ n: 1 }]))
    await there.channel.send({ type: 'broadcast', event: 'typing', payload: new Uint8Array([1, 2, 10, 3]).buffer })
    await eventually(() => expect(here.heard).toHaveLength(1))
    expect([...new Uint8Array(here.heard[0] as ArrayBuffer)]).toEqual([1, 2, 10, 3])
    await there.channel.httpSend('typing', { n: 2 })
    await eventually(() => expect(here.heard.at(-1)).toEqual({ n: 2 }))
    expect(there.heard.at(-1)).toEqual({ n: 2 })
    await here.channel.track({ mood: 'fine' })
    await there.channel.track({ mood: 'better' })
    for (const one of [here, there]) await eventually(() => expect(whoIsIn(one)).toEqual(['ada', 'bob']))
    await here.channel.track({ mood: 'best' })
    await eventually(() => expect(there.channel.presenceState()).toMatchObject({ ada: [{ mood: 'best' }] }))
    await away.realtime.disconnect() // without leaving the channel
    await eventually(() => expect(whoIsIn(here)).toEqual(['ada']))
    await here.channel.unsubscribe()
  })

  it('each deliver a change and a broadcast of the database once to their own clients [API-RT-02]', async () => {
    const [here, there] = [await join(bob.client, 'changes'), await join(away, 'changes')]
    await first.query(`select private.notify($1, 'tip', 'told', '')`, [bob.profileId])
    await first.query(`select realtime.send('{"n": 1}', 'news', 'changes', false)`)
    for (const { heard, changes } of [here, there]) {
      await eventually(() => expect([heard.length, changes.length]).toEqual([1, 1]))
      expect(changes[0]).toMatchObject({ title: 'told' })
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    for (const { heard, changes } of [here, there]) expect([heard.length, changes.length]).toEqual([1, 1])
    // One of them reads the log, for both (SCALE-04).
    expect(
      await first.query(`select temporary, active from pg_replication_slots where database = current_database()`),
    ).toEqual([{ temporary: false, active: true }])
    await Promise.all([here, there].map(({ channel }) => channel.unsubscribe()))
  })

  it('work alone while Redis is down, and form one room again when it is back', async () => {
    const [here, near, there] = [
      await join(ada.client, 'outage', { presence: { key: 'ada' } }),
      await join(bob.client, 'outage', { presence: { key: 'bob' } }),
      await join(away, 'outage', { presence: { key: 'bob again' } }),
    ]
    await redis.stop()
    await here.channel.send({ type: 'broadcast', event: 'typing', payload: { n: 1 } })
    await eventually(() => expect(near.heard).toEqual([{ n: 1 }]))
    await here.stayPresent()
    await there.stayPresent()
    await redis.start()
    // Both presences were sent while no node was listening, and are synchronized afterwards.
    for (const one of [here, there]) await eventually(() => expect(whoIsIn(one)).toEqual(['ada', 'bob again']))
    await eventually(async () => {
      await here.channel.send({ type: 'broadcast', event: 'typing', payload: { n: 2 } })
      expect(there.heard.at(-1)).toEqual({ n: 2 })
    })
    await Promise.all([here, near, there].map(({ channel }) => channel.unsubscribe()))
  })
})

describe('a node that dies', () => {
  it('takes the presences of its users along, and no others', async () => {
    const redis = await startRedis()
    const log = pino({ level: 'silent' })
    const { realtime } = parseConfig({})
    const times = { aliveEveryMs: 100, goneAfterMs: 400 }
    const nodes = await Promise.all(
      [0, 1, 2].map(async () => {
        const service = await openRedis({ url: redis.url, secrets: { jwtSecret: 'one installation' }, log })
        const hub = new Hub()
        const relay = new Relay({
          exchange: new RedisExchange(service, log),
          hub,
          allowances: new Allowances(realtime, () => false),
          log,
          times,
        })
        hub.connect(relay)
        await relay.start()
        return { service, hub, relay }
      }),
    )
    const channel = (number: number) =>
      ({
        number,
        room: 'public realtime:lobby',
        hears: () => true,
        version: '2.0.0',
        sendEncoded: () => undefined,
      }) as unknown as Channel
    const own = nodes.map((_, index) => channel(index))
    nodes.forEach(({ hub }, index) => {
      hub.enter(own[index] as Channel)
      hub.track(own[index] as Channel, `person ${index}`, {})
    })
    const seenBy = (index: number) => Object.keys(nodes[index]?.hub.presencesOf(own[index] as Channel) ?? {}).toSorted()
    for (const index of [0, 1, 2])
      await eventually(() => expect(seenBy(index)).toEqual(['person 0', 'person 1', 'person 2']))
    await nodes[2]?.service.close() // killed: it sends nothing any more
    for (const index of [0, 1]) await vi.waitFor(() => expect(seenBy(index)).toEqual(['person 0', 'person 1']), 3000)
    await nodes[1]?.relay.stop() // a clean stop: it announces its end
    await vi.waitFor(() => expect(seenBy(0)).toEqual(['person 0']), 300)
    nodes[0]?.hub.leave(own[0] as Channel)
    expect(nodes[0]?.hub.roomCount).toBe(0)
    for (const { relay, service } of nodes.slice(0, 2)) {
      await relay.stop()
      await service.close()
    }
    await redis.stop()
  })
})

describe('the share of one sender', () => {
  it('also applies on the other nodes, where other senders are still received', async () => {
    const redis = await startRedis()
    const log = pino({ level: 'silent' })
    const { realtime } = parseConfig({ REALTIME_MAX_DELIVERIES_PER_SECOND_PER_SENDER: '10' })
    const nodes = await Promise.all(
      [0, 1].map(async () => {
        const service = await openRedis({ url: redis.url, secrets: { jwtSecret: 'one installation' }, log })
        const hub = new Hub()
        const relay = new Relay({
          exchange: new RedisExchange(service, log),
          hub,
          allowances: new Allowances(realtime, () => false),
          log,
        })
        hub.connect(relay)
        await relay.start()
        return { service, hub, relay }
      }),
    )
    const heard = { flooded: 0, quiet: 0 }
    const listen = (number: number, name: keyof typeof heard) =>
      nodes[1]?.hub.enter({
        number,
        room: `public realtime:${name}`,
        hears: () => true,
        version: '2.0.0',
        sendEncoded: () => heard[name]++,
        config: { broadcast: { self: false } },
      } as unknown as Channel)
    for (let number = 1; number <= 4; number++) listen(number, 'flooded')
    listen(5, 'quiet')
    const say = (room: keyof typeof heard, sender: string) =>
      nodes[0]?.hub.broadcast(`public realtime:${room}`, { kind: 'json', payload: { event: 'x' } }, [sender])
    for (let count = 0; count < 500; count++) say('flooded', 'address flooder')
    for (let count = 0; count < 5; count++) say('quiet', 'address other')
    await eventually(() => expect(heard.quiet).toBe(5)) // after the flood, in the order of Redis
    expect(heard.flooded).toBeGreaterThanOrEqual(20) // the burst limit
    expect(heard.flooded).toBeLessThan(200)
    for (const { relay, service } of nodes) {
      await relay.stop()
      await service.close()
    }
    await redis.stop()
  })
})
