import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareJobs } from '@ovation/server/jobs/prepare'
import { startEmbedded } from '@ovation/server/postgres/embedded'
import { ensureDatabase, migrate } from '@ovation/server/postgres/migrate'
import { SignJWT } from 'jose'
import { installComparedGateways } from '../../compared-gateways/install-compared-gateways.ts'
import { printTable, writeResult } from '../report.ts'
import { type Limit, openLimit } from './limit.ts'
import { Connection, Latencies, openHttpTarget, renderRequest, type Target } from './load.ts'
import { authorId, buildData, callers } from './schema.ts'
import { type ServerName, type ServerProcess, serverNames, startServer } from './server-process.ts'
import { type Workload, workloads } from './workloads.ts'

const connectionCounts = [16, 128]
/** Requests that are made ready before the clock runs. */
const requestsReady = 2_000
/**
 * Before anything is measured: compiled code is what a server runs that has been up for a minute, and V8 compiles the gateway's for some
 * 25,000 requests, on the processors that are measured. In rounds, so that nothing is compiled for one workload and thrown away at the next.
 */
const settle = { rounds: 6, seconds: 0.6 } as const
const warmUpSeconds = 0.5
const turns = 4

/** How much more memory a soaked gateway may hold at its least than it held early on at its most. */
const mostGrowth = 1.1

const promises = { lite: 12, postgraphile: 4, limitOfFeed: 0.65, p99OverP50: 5 }

type Contender = ServerName | 'limit'
/** Milliseconds, but for the first. `processorMicros`: what a request takes of the processor in the contender's own process. */
type Measured = {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly processorMicros: number | undefined
}
type Row = {
  readonly workload: string
  readonly connections: number
  readonly at: Readonly<Record<Contender, Measured>>
}

type Person = { readonly id: string; readonly token: string }

/**
 * `npm run bench -- rest`: requests per second of the gateway, of two other gateways for Node and of PostgreSQL alone, on one
 * machine and one database. Exits with 1 when a promise is not kept.
 */
export async function benchRest(args: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '3' },
      only: { type: 'string' },
      contenders: { type: 'string', default: [...serverNames, 'limit'].join(',') },
      connections: { type: 'string', default: connectionCounts.join(',') },
      // As many as the gateway has by default.
      pool: { type: 'string', default: '4' },
      soak: { type: 'string' },
      profile: { type: 'boolean', default: false },
    },
  })
  await installComparedGateways()
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-bench-rest-'))
  // Its data need not survive a power cut; with the disk in the way every contender would measure the disk.
  const postgres = await startEmbedded({
    dataDir,
    password: 'bench',
    settings: { fsync: 'off', full_page_writes: 'off' },
  })
  const servers = new Map<ServerName, ServerProcess>()
  const ownerUrl = postgres.url('bench')
  const databaseConnections = Number(options.pool)
  const limit = openLimit(ownerUrl, databaseConnections)
  try {
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await migrate(ownerUrl)
    await prepareJobs(ownerUrl)
    await buildData(ownerUrl)
    const jwtSecret = randomBytes(32).toString('hex')
    const people = await buildPeople(jwtSecret)
    const contenders = options.contenders.split(',') as Contender[]
    for (const name of serverNames) {
      if (!contenders.includes(name)) continue
      const profiling = options.profile && name === 'gateway' ? ['--cpu-prof', '--cpu-prof-dir=test-output/bench'] : []
      servers.set(
        name,
        await startServer(
          name,
          { ownerUrl, jwtSecret, schemas: ['bench'], databaseConnections, dataDir: join(dataDir, name) },
          profiling,
        ),
      )
    }
    const openTarget = (name: Contender, workload: Workload, connections: number): Target | Promise<Target> => {
      if (name === 'limit')
        return limit.open(
          workload,
          people.map(({ id }) => id),
          connections,
        )
      const { url } = servers.get(name) as ServerProcess
      return openHttpTarget(url, connections, buildRequests(name, url, workload, people))
    }
    const chosen = workloads.filter(({ name }) => options.only === undefined || name.includes(options.only))
    if (options.soak) return await soak(servers.get('gateway') as ServerProcess, people, Number(options.soak))
    for (const workload of chosen) await compareAnswers(workload, servers, limit, people)
    for (let round = 0; round < settle.rounds; round++) {
      for (const workload of chosen) {
        for (const name of contenders) {
          const target = await openTarget(name, workload, connectionCounts[0] as number)
          await target.run(settle.seconds, new Latencies())
          target.close()
        }
      }
    }
    const rows: Row[] = []
    for (const connections of options.connections.split(',').map(Number)) {
      for (const workload of chosen) {
        const targets = new Map<Contender, Target>()
        for (const name of contenders) targets.set(name, await openTarget(name, workload, connections))
        rows.push({
          workload: workload.name,
          connections,
          at: await takeTurns(targets, servers, Number(options.seconds)),
        })
        for (const target of targets.values()) target.close()
      }
    }
    report(rows)
  } finally {
    await limit.close()
    for (const server of servers.values()) await server.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Short turns, one contender after the other: a machine that others use as well is not the same from second to second. */
async function takeTurns(
  targets: ReadonlyMap<Contender, Target>,
  servers: ReadonlyMap<Contender, ServerProcess>,
  seconds: number,
): Promise<Row['at']> {
  const atWork = new Map<Contender, number>()
  // A turn is over when the last answer is there: with many connections to a slow contender that is long after its seconds.
  const elapsedMs = new Map<Contender, number>()
  for (const target of targets.values()) await target.run(warmUpSeconds, new Latencies())
  const latencies = new Map([...targets.keys()].map((name) => [name, new Latencies()]))
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, target] of targets) {
      const before = await servers.get(name)?.usage()
      const startedAt = performance.now()
      await target.run(seconds / turns, latencies.get(name) as Latencies)
      elapsedMs.set(name, (elapsedMs.get(name) ?? 0) + performance.now() - startedAt)
      const after = await servers.get(name)?.usage()
      if (before && after) {
        atWork.set(name, (atWork.get(name) ?? 0) + after.processorMicros - before.processorMicros)
      }
    }
  }
  return Object.fromEntries(
    [...latencies].map(([name, counted]): [Contender, Measured] => {
      const micros = atWork.get(name)
      return [
        name,
        {
          perSecond: (1000 * counted.count) / (elapsedMs.get(name) ?? 0),
          p50: counted.quantile(0.5),
          p99: counted.quantile(0.99),
          processorMicros: micros === undefined ? undefined : micros / counted.count,
        },
      ]
    }),
  ) as Row['at']
}

function buildPeople(jwtSecret: string): Promise<Person[]> {
  const secret = new TextEncoder().encode(jwtSecret)
  return Promise.all(
    Array.from({ length: callers }, async (_, index) => {
      const id = authorId(index + 1)
      const token = await new SignJWT({ role: 'authenticated', sub: id })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setExpirationTime('1h')
        .sign(secret)
      return { id, token }
    }),
  )
}

function buildRequests(
  name: ServerName,
  url: string,
  workload: Workload,
  people: readonly Person[],
  count = requestsReady,
) {
  return Array.from({ length: count }, (_, n) => {
    const { id, token } = people[n % people.length] as Person
    const authorization = `Bearer ${token}`
    if (name === 'postgraphile') {
      const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' }
      return renderRequest(url, { method: 'POST', path: '', headers, body: JSON.stringify(workload.graphql(n, id)) })
    }
    if (name === 'bare') {
      return renderRequest(url, { method: 'GET', path: `/${workloads.indexOf(workload)}/${n}/${id}`, headers: {} })
    }
    const { headers, ...call } = workload.rest(n, id)
    return renderRequest(url, {
      ...call,
      headers: { ...credentials(name, token), ...profile(call.method), ...headers },
    })
  })
}

/** `@supabase/lite` takes a token where its key belongs: see `servers/lite.ts`. */
function credentials(name: ServerName, token: string): Record<string, string> {
  return name === 'lite' ? { apikey: token } : { authorization: `Bearer ${token}` }
}

/** The official clients name the schema with each request. */
function profile(method: string): Record<string, string> {
  return { [method === 'GET' ? 'accept-profile' : 'content-profile']: 'bench' }
}

/** The contenders do the same work: rows that are read are equal, and nobody answers with an error. */
async function compareAnswers(
  workload: Workload,
  servers: ReadonlyMap<ServerName, ServerProcess>,
  limit: Limit,
  people: readonly Person[],
) {
  const writes = workload.name === 'insert'
  for (const n of [0, 1, 2]) {
    const expected = JSON.parse(await limit.body(workload, n, (people[n] as Person).id)) as unknown
    for (const [name, { url }] of servers) {
      const [request] = buildRequests(name, url, workload, people, n + 1).slice(n)
      const connection = await Connection.open(url)
      const { status, body } = await connection.ask(request as Buffer)
      connection.close()
      const answer = JSON.parse(body) as { errors?: unknown; data?: unknown }
      if (status > 299 || answer.errors) throw new Error(`${name}, ${workload.name}: ${status} ${body}`)
      if (name === 'postgraphile') {
        if (countStrings(answer.data) < countStrings(expected))
          throw new Error(`${name}, ${workload.name}: less in ${body}`)
      } else if (!writes && withoutDates(answer) !== withoutDates(expected)) {
        throw new Error(`${name}, ${workload.name}: ${body} instead of ${JSON.stringify(expected)}`)
      }
    }
  }
}

/** `@supabase/lite` writes a date with a blank where JSON has a T. */
function withoutDates(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\d{4}-\d\d-\d\d[ T][0-9:.+]+"/g, '"date"')
}

/** GraphQL's names differ; what they hold does not. */
function countStrings(value: unknown): number {
  if (typeof value === 'string') return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, inner) => sum + countStrings(inner), 0)
}

function report(rows: readonly Row[]) {
  const rate = (measured: Measured | undefined) => (measured ? measured.perSecond.toFixed(0) : '–')
  const ratio = ({ at }: Row, other: Contender) =>
    at.gateway && at[other] ? (at.gateway.perSecond / at[other].perSecond).toFixed(2) : '–'
  printTable(
    [
      'requests a second',
      'connections',
      'gateway',
      'lite',
      'PostGraphile',
      'bare HTTP',
      'limit',
      '× lite',
      '× PostGraphile',
      'of bare HTTP',
      'of limit',
      'p50 ms',
      'p99 ms',
      'gateway µs',
      'bare µs',
    ],
    rows.map((row) => [
      row.workload,
      String(row.connections),
      ...(['gateway', 'lite', 'postgraphile', 'bare', 'limit'] as const).map((name) => rate(row.at[name])),
      ratio(row, 'lite'),
      ratio(row, 'postgraphile'),
      ratio(row, 'bare'),
      ratio(row, 'limit'),
      row.at.gateway?.p50.toFixed(2) ?? '–',
      row.at.gateway?.p99.toFixed(2) ?? '–',
      row.at.gateway?.processorMicros?.toFixed(0) ?? '–',
      row.at.bare?.processorMicros?.toFixed(0) ?? '–',
    ]),
  )
  const file = writeResult('rest', { machine: { cores: cpus().length, model: cpus()[0]?.model }, rows, promises })
  process.stdout.write(`\n${file}\n`)
  const broken = rows.flatMap(findBroken)
  for (const sentence of broken) process.stderr.write(`Not as promised: ${sentence}\n`)
  if (broken.length > 0) process.exitCode = 1
}

function findBroken({ workload, connections, at: { gateway, lite, postgraphile, limit } }: Row): string[] {
  if (!gateway) return []
  const where = `${workload} at ${connections} connections`
  const times = (other: Measured) => gateway.perSecond / other.perSecond
  const broken: string[] = []
  if (lite && times(lite) < promises.lite) broken.push(`${where}: ${times(lite).toFixed(1)} times lite`)
  if (postgraphile && times(postgraphile) < promises.postgraphile) {
    broken.push(`${where}: ${times(postgraphile).toFixed(1)} times PostGraphile`)
  }
  if (limit && workload.startsWith('feed') && times(limit) < promises.limitOfFeed) {
    broken.push(`${where}: ${(times(limit) * 100).toFixed(0)} % of the limit`)
  }
  if (gateway.p99 > gateway.p50 * promises.p99OverP50)
    broken.push(`${where}: p99 is ${(gateway.p99 / gateway.p50).toFixed(1)} times p50`)
  return broken
}

/**
 * A mixture of all workloads but the one that adds rows, until so many requests are answered: memory must end where it was early on. Over
 * fewer connections than may always wait, for a machine that others use too may pause, and no one shall be refused for that.
 */
async function soak({ url, usage }: ServerProcess, people: readonly Person[], requests: number) {
  const reading = workloads.filter(({ name }) => name !== 'insert')
  const mixed = reading.flatMap((workload) => buildRequests('gateway', url, workload, people, 500))
  const shuffled = mixed.map((_, index) => mixed[(index * 977) % mixed.length] as Buffer)
  const points: { requests: number; residentMb: number }[] = []
  const target = await openHttpTarget(url, 48, shuffled)
  for (let sent = 0; sent < requests; ) {
    const latencies = new Latencies()
    await target.run(10, latencies)
    sent += latencies.count
    points.push({ requests: sent, residentMb: Math.round((await usage()).residentMb) })
    process.stdout.write(`${points.at(-1)?.requests} requests: ${points.at(-1)?.residentMb} MB\n`)
  }
  target.close()
  process.stdout.write(`${writeResult('rest-soak', points)}\n`)
  // The first third is the time in which code is compiled and pools are filled.
  const warm = points.slice(Math.floor(points.length / 3)).map(({ residentMb }) => residentMb)
  const early = Math.max(...warm.slice(0, Math.ceil(warm.length / 2)))
  const late = Math.min(...warm.slice(Math.ceil(warm.length / 2)))
  if (points.length > 3 && late > early * mostGrowth) {
    process.stderr.write(`Not as promised: memory grew from ${early} to ${late} MB and did not come back\n`)
    process.exitCode = 1
  }
}
