import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '@ovation/sandbox'
import type { Secrets } from '@ovation/server/secrets'
import { machineNames, parseEnv, renderForLoopback } from '@ovation/server/testing/cluster/files'
import { type Machine, prepareMachine } from '@ovation/server/testing/cluster/machine'
import { freePort } from '@ovation/server/testing/free-port'
import { type Product, startProduct } from '@ovation/server/testing/product'
import pg from 'pg'
import { OvationNode } from './ovation-node.ts'

/** The second part of the machines' loopback addresses. */
const network = 88
const webhookSecret = 'whsec_cluster'
const startWithinMs = 120_000
const pollMs = 250

export type ClusterMachine = Machine & { readonly node: OvationNode }

/** Three machines with all that deploy/cluster puts on them, and beside them what isn't on them: the files' store and the payment provider. */
export type Cluster = {
  readonly machines: readonly ClusterMachine[]
  readonly secrets: Secrets
  /** Where visitors come in: HAProxy of each machine. */
  readonly entries: readonly string[]
  /** Runs a statement as the superuser, on whichever server is the primary now. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  primary(): Promise<ClusterMachine>
  replicas(): Promise<ClusterMachine[]>
  /** The replica that has every acknowledged write. */
  synchronous(): Promise<ClusterMachine>
  /** Resolves when all is well again: one primary, two replicas of which one is synchronous, and all nodes ready. */
  untilWhole(withinMs: number): Promise<void>
  webhooksSettled(): Promise<void>
  close(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'ov-'))
  chmodSync(folder, 0o755) // Patroni runs as another user
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    const store = await startStore(join(folder, 'store'))
    stops.push(() => store.product.stop())
    const sandbox = await startSandbox({ file: join(folder, 'sandbox.sqlite'), merchant: 'Ovation', isDurable: false })
    stops.push(() => sandbox.close())
    sandbox.setPublicUrl(sandbox.url)
    sandbox.topUp(10_000_000)

    const machines = machineNames.map((name) => {
      const root = join(folder, name)
      mkdirSync(root)
      const machine = prepareMachine(name, network, root)
      stops.push(mountDisk(machine))
      return { ...machine, node: buildNode(machine, store, sandbox) }
    })
    stops.push(async () => {
      await Promise.all(machines.map(({ node }) => node.lose()))
      await Promise.all(machines.map((machine) => machine.lose()))
    })
    await startPrograms(machines)
    const entries = machines.map(({ address }) => `https://${address}`)
    sandbox.setWebhook({ url: `${entries[0]}/functions/v1/stripe-webhook`, secret: webhookSecret })
    const secrets = await startNodes(machines)
    return {
      machines,
      secrets,
      entries,
      ...statesOf(machines),
      webhooksSettled: () => sandbox.webhooksSettled(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Where PostgreSQL's data are: a disk of its own, which can be full. */
export const dataFolderOf = ({ root }: Machine) => join(root, 'var/lib/postgresql')

const diskSize = '3g'

/** @returns what takes it away again. */
function mountDisk(machine: Machine): () => void {
  const folder = dataFolderOf(machine)
  const { uid, gid } = statSync(folder)
  const options = `size=${diskSize},uid=${uid},gid=${gid},mode=700`
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  return () => execFileSync('umount', ['--lazy', folder])
}

type Store = { readonly product: Product; readonly env: Readonly<Record<string, string>> }

/** The S3 server is another installation's S3 API (docs/decisions/0020). */
async function startStore(dataDir: string): Promise<Store> {
  mkdirSync(dataDir)
  const product = await startProduct(dataDir, await freePort(), { NODE_ENV: 'test', LOG_LEVEL: 'fatal' })
  const send = async <Answer>(path: string, body: object) => {
    const headers = {
      apikey: product.secrets.serviceRoleKey,
      authorization: `Bearer ${product.secrets.serviceRoleKey}`,
      'content-type': 'application/json',
    }
    const response = await fetch(`${product.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Answer
  }
  await send('/storage/v1/bucket', { id: 'ovation', name: 'ovation', public: false })
  const key = await send<{ accessKeyId: string; secretAccessKey: string }>('/storage/v1/s3-keys', {})
  return {
    product,
    env: {
      S3_ENDPOINT: `${product.url}/storage/v1/s3`,
      S3_BUCKET: 'ovation',
      S3_ACCESS_KEY_ID: key.accessKeyId,
      S3_SECRET_ACCESS_KEY: key.secretAccessKey,
    },
  }
}

const dataDirOf = ({ root }: Machine) => join(root, 'ovation')

function buildNode(machine: Machine, store: Store, sandbox: Sandbox): OvationNode {
  const { address, values, root } = machine
  const dataDir = dataDirOf(machine)
  mkdirSync(dataDir)
  return new OvationNode({
    url: `http://${address}:8000`,
    log: join(root, 'log/ovation'),
    env: {
      ...parseEnv(renderForLoopback('ovation.env', values, root)),
      ...store.env,
      NODE_ENV: 'test',
      DEMO: '0',
      LOG_LEVEL: 'info',
      DATA_DIR: dataDir,
      WORKERS: '2',
      SITE_URL: `https://${values.ONE}`,
      STRIPE_API_BASE: sandbox.url,
      STRIPE_SECRET_KEY: 'sk_test_cluster',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    },
  })
}

/** What deploy/cluster/README.md does on three empty machines. */
async function startPrograms(machines: readonly Machine[]) {
  const [one, ...others] = machines as [Machine, Machine, Machine]
  for (const machine of machines) machine.start('etcd')
  for (const { address } of machines) await until('etcd', () => answers(`http://${address}:2379/health`))
  one.start('patroni')
  await until('the primary', () => answers(`http://${one.address}:8008/primary`))
  await prepareDatabase(one)
  for (const machine of others) machine.start('patroni')
  for (const { address } of others) await until('a replica', () => answers(`http://${address}:8008/replica`))
  for (const machine of machines) machine.start('redis')
  for (const machine of others) await replicateRedis(machine, one)
  for (const machine of machines) machine.start('sentinel')
  for (const machine of machines) machine.start('haproxy')
}

/** The SQL of docs/operations.md, "Your own PostgreSQL". */
async function prepareDatabase({ address, values }: Machine) {
  await withSuperuser(address, values.SUPERUSER_PASSWORD ?? '', 'postgres', async (client) => {
    for (const statement of [
      'create role service_role nologin noinherit bypassrls',
      `create role ovation login createrole replication password '${values.DATABASE_PASSWORD}'`,
      'grant service_role to ovation with admin option',
      `create database ovation owner ovation encoding 'UTF8' template template0`,
    ])
      await client.query(statement)
  })
}

async function replicateRedis(machine: Machine, primary: Machine) {
  const { Redis } = await import('ioredis')
  const password = machine.values.REDIS_PASSWORD ?? ''
  const redis = new Redis({ host: machine.address, port: 6379, password, maxRetriesPerRequest: 100 })
  redis.on('error', () => undefined) // until it listens
  await redis.replicaof(primary.address, 6379)
  await redis.config('REWRITE')
  redis.disconnect()
}

/** The first node migrates the database and makes the secrets, which the others copy. */
async function startNodes(machines: readonly ClusterMachine[]): Promise<Secrets> {
  const [one, ...others] = machines as [ClusterMachine, ClusterMachine, ClusterMachine]
  one.node.start()
  await until('the first node', () => one.node.isReady())
  const secrets = join(dataDirOf(one), 'secrets.json')
  for (const machine of others) {
    copyFileSync(secrets, join(dataDirOf(machine), 'secrets.json'))
    machine.node.start()
  }
  for (const { node } of others) await until('a node', () => node.isReady())
  return JSON.parse(readFileSync(secrets, 'utf8')) as Secrets
}

function statesOf(machines: readonly ClusterMachine[]) {
  const inRole = async (role: string) => {
    const roles = await Promise.all(machines.map(({ address }) => answers(`http://${address}:8008/${role}`)))
    return machines.filter((_, index) => roles[index])
  }
  const find = async (role = 'primary'): Promise<ClusterMachine> => {
    const [machine] = await inRole(role)
    if (!machine) throw new Error(`no machine is ${role}`)
    return machine
  }
  /** What isn't as it was at the start, for people. */
  const whatIsMissing = async (): Promise<string[]> => {
    const missing: string[] = []
    for (const [role, count] of [
      ['primary', 1],
      ['replica', 2],
      ['synchronous', 1],
    ] as const) {
      const found = await inRole(role)
      if (found.length !== count) missing.push(`${role}: ${found.map(({ name }) => name).join(', ') || 'none'}`)
    }
    const states = await Promise.all(machines.map(async ({ name, node }) => [name, await node.state()] as const))
    for (const [name, state] of states) if (state !== 'ok') missing.push(`Ovation of ${name}: ${state}`)
    return missing
  }
  let missing: string[] = []
  const isWhole = async () => {
    missing = await whatIsMissing()
    return missing.length === 0
  }
  return {
    primary: () => find(),
    synchronous: () => find('synchronous'),
    replicas: () => inRole('replica'),
    untilWhole: (withinMs: number) =>
      until('the whole cluster', isWhole, withinMs).catch((error: Error) => {
        throw new Error(`${error.message} (${missing.join('; ')})`)
      }),
    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
      const { address, values: settings } = await find()
      return withSuperuser(address, settings.SUPERUSER_PASSWORD ?? '', 'ovation', async (client) => {
        const { rows } = await client.query<Row>(text, values)
        return rows
      })
    },
  }
}

export async function withSuperuser<Result>(
  host: string,
  password: string,
  database: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ host, port: 5432, user: 'postgres', password, database })
  client.on('error', () => undefined) // the statement reports it
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}

export async function until(what: string, check: () => Promise<boolean>, withinMs = startWithinMs): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`${what}: not up after ${withinMs / 1000} s`)
    await sleep(pollMs)
  }
}
