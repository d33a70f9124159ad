import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '@ovation/server/postgres/migrate'
import pg from 'pg'
import { quantile } from '../quantile.ts'
import { printTable, writeResult } from '../report.ts'
import { Client, forEach, now } from './clients.ts'
import { type BenchPerson, makePeople } from './people.ts'
import type { BenchServer } from './start-server.ts'
import { withServer } from './with-server.ts'

type Measured = {
  readonly what: string
  readonly figure: number
  readonly unit: string
  readonly promise: number
  readonly isAtMost: boolean
}
type Clients = {
  readonly server: BenchServer
  readonly clients: readonly Client[]
  readonly people: readonly BenchPerson[]
}

const hall = 'realtime:hall'

/**
 * `npm run bench -- realtime [sockets]`: memory of so many sockets (10,000), how soon a broadcast reaches half of them, how many deliveries
 * one core sustains, and how soon a row change reaches the one among them whom it concerns. The gateway is a process of its own; database and
 * clients are on the same machine. Exits with 1 when a promise is not kept.
 */
export async function benchRealtime([size = '10000']: readonly string[]): Promise<void> {
  await withServer({}, (server, ownerUrl) => run(server, ownerUrl, Number(size)))
}

async function run(server: BenchServer, ownerUrl: string, sockets: number) {
  const people = await withClient(ownerUrl, (client) => makePeople(client, sockets, server.secrets.jwtSecret))
  const empty = (await server.usage()).rss
  const clients: Client[] = []
  await forEach(people, 50, async ({ profileId, token }, index) => {
    const client = await Client.open(server.url, server.secrets.anonKey)
    const changes = [{ event: '*', schema: 'public', table: 'notifications', filter: `user_id=eq.${profileId}` }]
    await client.ask(`realtime:own-${index}`, 'phx_join', {
      access_token: token,
      config: { postgres_changes: changes },
    })
    if (index % 2 === 0) await client.ask(hall, 'phx_join', { config: {} })
    clients[index] = client
  })
  await sleep(5_000)
  const { rss } = await server.usage()
  const all: Clients = { server, clients, people }
  const measured: Measured[] = [
    { what: `memory with ${sockets} sockets`, figure: rss / 2 ** 20, unit: 'MB', promise: 400, isAtMost: true },
    ...(await measureFanOut(all)),
    ...(await measureDeliveries(all)),
    ...(await measureChanges(all, ownerUrl)),
  ]
  const kept = ({ figure, promise, isAtMost }: Measured) => (isAtMost ? figure <= promise : figure >= promise)
  printTable(
    ['', 'figure', 'promise', ''],
    measured.map((one) => {
      const digits = one.figure < 10 ? 1 : 0
      const bound = `${one.isAtMost ? 'at most' : 'at least'} ${one.promise} ${one.unit}`
      return [one.what, `${one.figure.toFixed(digits)} ${one.unit}`, bound, kept(one) ? 'kept' : 'NOT KEPT']
    }),
  )
  process.stdout.write(
    `\nmemory before anyone came: ${(empty / 2 ** 20).toFixed(0)} MB\n${writeResult('realtime', { sockets, measured })}\n`,
  )
  for (const client of clients) client.close()
  if (!measured.every(kept)) process.exitCode = 1
}

/** One broadcast at a time to half of the sockets. */
async function measureFanOut({ clients }: Clients): Promise<Measured[]> {
  const receivers = clients.filter((_client, index) => index % 2 === 0)
  const latencies: number[] = []
  for (const client of receivers) client.listener = ([, , , , payload], at) => void latencies.push(at - sentAt(payload))
  const speaker = receivers[0] as Client
  const rounds = 20
  for (let round = 1; round <= rounds; round++) {
    speaker.say(hall, 'broadcast', { type: 'broadcast', event: 'move', payload: { at: now() } })
    await until(() => latencies.length >= round * (receivers.length - 1), 5_000)
    await sleep(100)
  }
  if (latencies.length !== rounds * (receivers.length - 1)) throw new Error('a broadcast did not reach everybody')
  return [
    {
      what: `a broadcast to ${receivers.length - 1}, p99`,
      figure: quantile(latencies, 0.99),
      unit: 'ms',
      promise: 250,
      isAtMost: true,
    },
  ]
}

/** As many broadcasts as give the promised deliveries, for ten seconds. */
async function measureDeliveries({ server, clients }: Clients): Promise<Measured[]> {
  const receivers = clients.filter((_client, index) => index % 2 === 0)
  let delivered = 0
  for (const client of receivers) client.listener = () => void delivered++
  const [wanted, seconds] = [22_000, 10]
  const every = (1000 * (receivers.length - 1)) / wanted
  const before = await server.usage()
  const begun = performance.now()
  let sent = 0
  while (performance.now() - begun < seconds * 1000) {
    while (sent * every <= performance.now() - begun) {
      const speaker = receivers[sent++ % receivers.length] as Client
      speaker.say(hall, 'broadcast', {
        type: 'broadcast',
        event: 'move',
        payload: { at: now(), text: 'x'.repeat(200) },
      })
    }
    await sleep(1)
  }
  const all = sent * (receivers.length - 1)
  await until(() => delivered >= all, 5_000)
  const took = (performance.now() - begun) / 1000
  const cpu = ((await server.usage()).cpu - before.cpu) / 1e6
  if (delivered !== all) throw new Error(`${delivered} of ${all} were delivered`)
  return [
    {
      what: 'deliveries a second, for ten seconds',
      figure: delivered / took,
      unit: '/s',
      promise: 20_000,
      isAtMost: false,
    },
    {
      what: 'of one core, the gateway used meanwhile',
      figure: (cpu / took) * 100,
      unit: '%',
      promise: 100,
      isAtMost: true,
    },
  ]
}

/** 500 notifications a second, each for one of those who follow their own. */
async function measureChanges({ server, clients, people }: Clients, ownerUrl: string): Promise<Measured[]> {
  const latencies: number[] = []
  for (const client of clients) {
    client.listener = ([, , , event, payload], at) => {
      if (event === 'postgres_changes') latencies.push(at - Number((payload as Told).data.record.data.at))
    }
  }
  const writers = 8
  const pool = new pg.Pool({ connectionString: ownerUrl, max: writers })
  const insert = () => {
    const { profileId } = people[Math.floor(Math.random() * people.length)] as BenchPerson
    return pool.query({
      name: 'notify',
      text: `insert into public.notifications (user_id, type, title, message, data) values ($1, 'tip', 'A tip', 'You got a tip', $2)`,
      values: [profileId, JSON.stringify({ at: now() })],
    })
  }
  // Writers are connected already: opening all connections at once would take the processor for a tenth of a second.
  await Promise.all(Array.from({ length: writers }, insert))
  await until(() => latencies.length >= writers, 10_000)
  latencies.length = 0
  const [perSecond, seconds] = [505, 10]
  const before = await server.usage()
  const begun = performance.now()
  const inserts: Promise<unknown>[] = []
  while (inserts.length < perSecond * seconds) {
    while (inserts.length < perSecond * seconds && (inserts.length * 1000) / perSecond <= performance.now() - begun) {
      inserts.push(insert())
    }
    await sleep(1)
  }
  await Promise.all(inserts)
  const took = (performance.now() - begun) / 1000
  await until(() => latencies.length >= inserts.length, 10_000)
  const cpu = ((await server.usage()).cpu - before.cpu) / 1e6
  await pool.end()
  if (latencies.length !== inserts.length) throw new Error(`${latencies.length} of ${inserts.length} changes arrived`)
  return [
    {
      what: `changes a second, each for one of ${clients.length}`,
      figure: inserts.length / took,
      unit: '/s',
      promise: 500,
      isAtMost: false,
    },
    {
      what: 'from the insert to its receiver, p50',
      figure: quantile(latencies, 0.5),
      unit: 'ms',
      promise: 50,
      isAtMost: true,
    },
    {
      what: 'from the insert to its receiver, p99',
      figure: quantile(latencies, 0.99),
      unit: 'ms',
      promise: 50,
      isAtMost: true,
    },
    {
      what: 'of one core, the gateway used meanwhile',
      figure: (cpu / took) * 100,
      unit: '%',
      promise: 100,
      isAtMost: true,
    },
  ]
}

type Told = { data: { record: { data: { at: number } } } }
const sentAt = (payload: unknown) => (payload as { payload: { at: number } }).payload.at

async function until(isDone: () => boolean, patienceMs: number) {
  const end = performance.now() + patienceMs
  while (!isDone() && performance.now() < end) await sleep(5)
}
