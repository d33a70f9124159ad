import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { eventually } from '../../testing/eventually.ts'
import {
  deliveredValues,
  loopbackValues,
  machineNames,
  parseEnv,
  renderClusterFile,
  renderForLoopback,
} from '../testing/cluster/files.ts'
import { type Machine, prepareMachine } from '../testing/cluster/machine.ts'
import { findHaproxy } from '../testing/find-program.ts'

const folder = fileURLToPath(new URL('../../deploy/cluster/', import.meta.url))
const files = readdirSync(folder).filter((file) => !['README.md', 'cluster.env'].includes(file))
const values = loopbackValues('one', 7)

describe('deploy/cluster', () => {
  it('needs the variables of cluster.env, all of them and no others [SCALE-07]', () => {
    const used = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/(?<=\$\{)\w+(?=\})/g) ?? [])
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(deliveredValues()).toSorted())
  })

  it('has a README that says where each file goes', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    for (const file of files) expect(readme, file).toContain(`](${file})`)
    for (const [, file] of readme.matchAll(/^put (\S+)/gm)) expect(files).toContain(file)
  })

  it('has the same files on all machines, but for the name and the address', () => {
    const differences = files.filter((file) => {
      const [one, two] = machineNames.map((name) => renderClusterFile(file, loopbackValues(name, 7)))
      return one !== two
    })
    expect(differences.toSorted()).toEqual(['etcd.env', 'ovation.env', 'patroni.yml', 'redis.conf', 'sentinel.conf'])
  })

  it('tells Patroni to lose no acknowledged write, and PostgreSQL to keep the log only as long as there is space [SCALE-01, SCALE-07]', () => {
    const { bootstrap } = parse(renderClusterFile('patroni.yml', values))
    const { ttl, loop_wait, retry_timeout, postgresql, ...dcs } = bootstrap.dcs
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_node_count: 1 })
    expect(postgresql.parameters).toMatchObject({ wal_level: 'logical', max_slot_wal_keep_size: '4GB' })
    expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl) // otherwise a slow etcd costs a healthy primary its role
    expect(ttl).toBeLessThan(30)
  })

  it('gives Ovation documented settings, and the time to stop that its unit allows [SCALE-07]', () => {
    const read = (path: string) => readFileSync(join(folder, '../..', path), 'utf8')
    const documented = `${read('docs/configuration.md')}${read('docs/operations.md')}`
    const settings = parseEnv(renderClusterFile('ovation.env', values))
    for (const name of Object.keys(settings)) expect(documented).toContain(`\`${name}`)
    const [, allowed] = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/ovation.service')) ?? []
    expect(Number(settings.DRAIN_SECONDS) + Number(settings.SHUTDOWN_GRACE_SECONDS) + 10).toBe(Number(allowed))
    const addresses = [...renderForLoopback('haproxy.cfg', values, '/x').matchAll(/^ {2}bind (\S+)/gm)].map(
      ([, to]) => to,
    )
    for (const url of [settings.DATABASE_URL, settings.REDIS_URL])
      expect(addresses).toContain(new URL(url ?? '').host.replace('127.0.0.1', values.ADDRESS ?? ''))
  })
})

describe('the machines of deploy/cluster', () => {
  const root = mkdtempSync(join(tmpdir(), 'cl-'))
  let machines: Machine[]
  let redis: Redis[]
  const network = 1 + (process.pid % 250)
  beforeAll(async () => {
    chmodSync(root, 0o755)
    machines = machineNames.map((name) => {
      mkdirSync(join(root, name))
      return prepareMachine(name, network, join(root, name))
    })
    for (const machine of machines) for (const part of ['redis', 'sentinel', 'haproxy'] as const) machine.start(part)
    const password = values.REDIS_PASSWORD ?? ''
    redis = machines.map(({ address }) => new Redis({ host: address, port: 6379, password }))
    for (const one of redis) one.on('error', () => undefined) // until it listens, and when it is lost
    // As step 6 of the README does.
    for (const other of redis.slice(1)) {
      await other.call('replicaof', machines[0]?.address ?? '', 6379)
      await other.call('config', 'rewrite')
    }
  }, 60_000)
  afterAll(async () => {
    for (const one of redis ?? []) one.disconnect()
    for (const machine of machines ?? []) await machine.close()
    rmSync(root, { recursive: true, force: true })
  })

  it('have a valid configuration of HAProxy [SCALE-07]', () => {
    for (const { root: own } of machines) {
      const checked = spawnSync(findHaproxy(), ['-c', '-f', join(own, 'etc/haproxy/haproxy.cfg')], { encoding: 'utf8' })
      expect(checked.status, checked.stderr).toBe(0)
    }
  })

  it('have a PgBouncer that asks for the password of the product’s role', async () => {
    const [, , three] = machines
    three?.start('pgbouncer')
    const connect = async (password: string) => {
      const url = `postgres://ovation:${password}@${three?.address}:6432/ovation`
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
      client.on('error', () => undefined)
      return client.connect().then(
        () => 'connected',
        (error: Error) => error.message,
      )
    }
    await eventually(async () => expect(await connect('wrong')).toMatch(/password authentication failed|SASL/))
    // There is no PostgreSQL: it waits for one.
    expect(await connect(values.DATABASE_PASSWORD ?? '')).not.toMatch(/password|SASL/)
  }, 60_000)

  it('lead to Redis’s primary, and to another one after it is lost [SCALE-07]', async () => {
    const [, two] = machines
    const through = new Redis({ host: two?.address ?? '', port: 6380, password: values.REDIS_PASSWORD ?? '' })
    through.on('error', () => undefined)
    const role = async () => String(await through.info('replication'))
    // Sentinels that each vote for themselves elect again after ten seconds.
    const inTime = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 60_000, interval: 200 })
    try {
      await inTime(async () => expect(await role()).toContain('connected_slaves:2'))
      await inTime(() => through.set('key', 'of the first')) // it writes once a replica has answered
      await inTime(async () => expect(await redis[2]?.get('key')).toBe('of the first'))
      const sentinel = new Redis({ host: two?.address ?? '', port: 26379, password: values.REDIS_PASSWORD ?? '' })
      await inTime(async () => {
        expect(await sentinel.call('sentinel', 'replicas', 'ovation')).toHaveLength(2)
        expect(await sentinel.call('sentinel', 'sentinels', 'ovation')).toHaveLength(2)
      })
      sentinel.disconnect()
      await machines[0]?.lose()
      await inTime(async () => expect(await role()).toMatch(/role:master\s+connected_slaves:1/))
      expect(await through.get('key')).toBe('of the first')
    } finally {
      through.disconnect()
    }
  }, 240_000)
})
