import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { withClient } from '@ovation/server/postgres/migrate'
import { freePort } from '@ovation/server/testing/free-port'
import { type OutsidePostgres, startOutsidePostgres } from '@ovation/server/testing/outside-postgres'
import { startRedis, type TestRedis } from '@ovation/server/testing/redis'
import { endDescendantsWithThisProcess } from '../../testing/end-with-run.ts'
import { printTable, writeResult } from '../report.ts'
import { Latencies, openHttpTarget, renderRequest } from '../rest/load.ts'
import { processorTime } from './processor-time.ts'

const connections = 16
const warmUpSeconds = 3
const seconds = 10
const settings: readonly Setting[] = [
  { workers: 1, replicas: 0 },
  { workers: 1, replicas: 1 },
  { workers: 1, replicas: 2 },
  { workers: 2, replicas: 0 },
  { workers: 2, replicas: 2 },
  { workers: 4, replicas: 0 },
]
type Setting = { readonly workers: number; readonly replicas: number }

/**
 * `npm run bench -- scaling`: reads of the demo's accounts, through one node with so many workers, from a primary with so many replicas. All of
 * it shares this machine, so besides the reads per second it shows how long each part's processor works for a read: that is what moves to
 * other machines.
 */
export async function benchScaling(): Promise<void> {
  endDescendantsWithThisProcess()
  const folder = mkdtempSync(join(tmpdir(), 'ovation-bench-scaling-'))
  const redis = await startRedis()
  const primary = await startOutsidePostgres({ shared_buffers: '512MB' })
  const servers = [primary]
  try {
    const parts = { folder, redis, servers }
    await fillPrimary(parts)
    servers.push(await primary.addStandby(), await primary.addStandby())
    const results = []
    for (const setting of settings) {
      const result = await measure(parts, setting)
      results.push(result)
      process.stdout.write(
        `${setting.workers} workers, ${setting.replicas} replicas: ${result.perSecond} reads a second\n`,
      )
    }
    const writes = await measure(parts, { workers: 1, replicas: 0 }, listWrites)
    const columns = ['Ovation', 'primary', 'replicas', 'Redis'] as const
    printTable(
      ['workers', 'replicas', 'reads/s', 'p95 ms', ...columns.map((part) => `${part} µs`)],
      results.map(({ workers, replicas, perSecond, p95, micros }) =>
        [workers, replicas, perSecond, p95, ...columns.map((part) => micros[part])].map(String),
      ),
    )
    process.stdout.write(
      `A comment: ${JSON.stringify(writes)}\n${writeResult('scaling', { reads: results, writes })}\n`,
    )
  } finally {
    for (const server of servers.toReversed()) await server.stop()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Parts = { readonly folder: string; readonly redis: TestRedis; readonly servers: readonly OutsidePostgres[] }

/** The first start makes the demo, and gives it its past. */
async function fillPrimary(parts: Parts) {
  const node = await startNode(parts, { workers: 1, replicas: 0 })
  const isFilled = `select from private.settings where key = 'demo_step_books'`
  await withClient(parts.servers[0]?.url ?? '', async (client) => {
    while ((await client.query(isFilled)).rows.length === 0) await sleep(500)
  })
  await node.stop()
}

async function measure(parts: Parts, setting: Setting, list = listReads) {
  const node = await startNode(parts, setting)
  try {
    const requests = await list(node.url, parts)
    const target = await openHttpTarget(node.url, connections, requests)
    await target.run(warmUpSeconds, new Latencies())
    const groups = {
      Ovation: [node.pid],
      primary: parts.servers.slice(0, 1).map(pidOf),
      replicas: parts.servers.slice(1).map(pidOf),
      Redis: [pidListening(parts.redis.url)],
    }
    const times = () => Object.entries(groups).map(([name, pids]) => [name, processorTime(pids)] as const)
    const before = new Map(times())
    const logBefore = await positionOf(parts.servers[0])
    const latencies = new Latencies()
    await target.run(seconds, latencies)
    const perRead = (name: string, after: number) =>
      Math.round(((after - (before.get(name) ?? 0)) * 1e6) / latencies.count)
    const micros = Object.fromEntries(times().map(([name, after]) => [name, perRead(name, after)]))
    const logBytes = ((await positionOf(parts.servers[0])) - logBefore) / latencies.count
    target.close()
    return {
      ...setting,
      perSecond: Math.round(latencies.count / seconds),
      p95: Number(latencies.quantile(0.95).toFixed(1)),
      micros,
      logBytes: Math.round(logBytes),
    }
  } finally {
    await node.stop()
  }
}

async function startNode({ folder, redis, servers }: Parts, { workers, replicas }: Setting) {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_ENV: 'test',
      LOG_LEVEL: 'fatal',
      PORT: `${port}`,
      DATA_DIR: folder,
      DEMO: '1',
      WORKERS: `${workers}`,
      REDIS_URL: redis.url,
      DATABASE_URL: servers[0]?.url,
      DATABASE_REPLICA_URLS: servers
        .slice(1, 1 + replicas)
        .map(({ url }) => url)
        .join(','),
    },
  })
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('Ovation did not start')
    await sleep(200)
  }
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Of every account of the demo: the newest posts with their creators, a profile, and the comments of a post. */
async function listReads(url: string, parts: Parts): Promise<Buffer[]> {
  const { accounts, names, posts, headersOf } = await readDemo(parts)
  return accounts.flatMap(({ user_id }, index) => {
    const headers = headersOf(user_id)
    const paths = [
      '/rest/v1/posts?select=id,title,content,post_type,created_at,creator:profiles(username,display_name,avatar_url)&order=created_at.desc,id.desc&limit=20',
      `/rest/v1/profiles?select=*&username=eq.${names[index % names.length]}`,
      `/rest/v1/comments?select=*&post_id=eq.${posts[index % posts.length]}&order=created_at.desc&limit=20`,
    ]
    return paths.map((path) => renderRequest(url, { method: 'GET', path, headers }))
  })
}

/** A comment of every account. */
async function listWrites(url: string, parts: Parts): Promise<Buffer[]> {
  const { accounts, posts, headersOf } = await readDemo(parts)
  return accounts.map(({ id, user_id }, index) =>
    renderRequest(url, {
      method: 'POST',
      path: '/rest/v1/comments',
      headers: { ...headersOf(user_id), 'content-type': 'application/json' },
      body: JSON.stringify({
        post_id: posts[index % posts.length],
        user_id: id,
        content: 'So true, and so well said.',
      }),
    }),
  )
}

type Account = { readonly id: string; readonly user_id: string }

async function readDemo({ folder, servers }: Parts) {
  const secrets = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as Record<
    'anonKey' | 'jwtSecret',
    string
  >
  const [primary] = servers
  return withClient(primary?.url ?? '', async (client) => {
    const { rows: accounts } = await client.query<Account>('select id, user_id from private.profiles order by id')
    const { rows } = await client.query<{ names: string[]; posts: string[] }>(`select
      (select array_agg(username) from private.profiles where is_creator) as names,
      (select array_agg(id) from private.posts where post_type = 'free' and comments_count > 0) as posts`)
    const { names = [], posts = [] } = rows[0] ?? {}
    const headersOf = (account: string) => ({
      apikey: secrets.anonKey,
      authorization: `Bearer ${signToken(account, secrets.jwtSecret)}`,
    })
    return { accounts, names, posts, headersOf }
  })
}

/** How many bytes its log has. */
async function positionOf(server: OutsidePostgres | undefined): Promise<number> {
  const { rows } = await withClient(server?.url ?? '', (client) =>
    client.query<{ bytes: string }>(`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`),
  )
  return Number(rows[0]?.bytes)
}

function signToken(account: string, secret: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub: account, role: 'authenticated', aud: 'authenticated', aal: 'aal1', iat: now, exp: now + 3_600 }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const pidOf = ({ url }: OutsidePostgres): number => pidListening(url)

/** The process that was started with this URL's port among its arguments. */
function pidListening(url: string): number {
  const { port } = new URL(url)
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  const found = lines.find(
    (line) => /postgres|redis-server/.test(line) && new RegExp(`(-p |--port |:)${port}\\b`).test(line),
  )
  if (found === undefined) throw new Error(`nothing listens on ${port}`)
  return Number.parseInt(found, 10)
}
