import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, type ClusterMachine, dataFolderOf, until } from './cluster.ts'

export type Fault = {
  readonly title: string
  /** Does it, waits as long as it lasts, and puts back what nobody else would. */
  inflict(cluster: Cluster): Promise<void>
  /** Nothing may fail: it is planned. */
  readonly isPlanned?: boolean
}

/** As `Restart=on-failure` of Debian's units. */
const restartAfterMs = 2_000
/** How long what nobody restarts at once is gone: longer than each failover takes. */
const outageMs = 40_000
/** Until someone makes room: PostgreSQL stays up, so nothing takes its place. */
const fullMs = 20_000

/** Of each of its processes, the first one first. */
function postgresOf(machine: ClusterMachine): number[] {
  const pidFile = join(dataFolderOf(machine), '15/ovation/postmaster.pid')
  const [first = ''] = readFileSync(pidFile, 'utf8').split('\n')
  const children = execFileSync('pgrep', ['-P', first], { encoding: 'utf8' }).trim().split('\n')
  return [Number(first), ...children.map(Number)]
}

function signal(pids: readonly number[], name: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended by itself
    }
  }
}

async function lastReplica(cluster: Cluster): Promise<ClusterMachine> {
  const replicas = await cluster.replicas()
  const replica = replicas.at(-1)
  if (!replica) throw new Error('there is no replica')
  return replica
}

/** The process that reads the log for all. */
function readerOf({ machines }: Cluster): number {
  const readers = machines.flatMap(({ node }) => node.reader ?? [])
  const latest = readers.toSorted((one, other) => other.since - one.since)[0]
  if (!latest) throw new Error('nobody reads the log')
  return latest.pid
}

function etcdctl({ machines }: Cluster, ...args: string[]): string {
  const endpoints = machines.map(({ address }) => `http://${address}:2379`).join(',')
  const env = { ...process.env, ETCDCTL_API: '3' }
  return execFileSync('etcdctl', [`--endpoints=${endpoints}`, ...args], { encoding: 'utf8', env })
}

function machineAt({ machines }: Cluster, address: string): ClusterMachine {
  const machine = machines.find((one) => one.address === address)
  if (!machine) throw new Error(`no machine has the address ${address}`)
  return machine
}

/** Asks Redis itself, as HAProxy does. */
async function redisPrimary({ machines }: Cluster): Promise<ClusterMachine> {
  for (const machine of machines) {
    const { REDIS_PASSWORD = '' } = machine.values
    const { stdout } = spawnSync(
      'redis-cli',
      ['-h', machine.address, '-a', REDIS_PASSWORD, '--no-auth-warning', 'info', 'replication'],
      { encoding: 'utf8' },
    )
    if (stdout.includes('role:master')) return machine
  }
  throw new Error('no Redis is the primary')
}

/** The failures of real life, by the name that the command line knows. */
export const faults: Readonly<Record<string, Fault>> = {
  'primary-crash': {
    title: 'kill -9 of the primary',
    async inflict(cluster) {
      signal(postgresOf(await cluster.primary()), 'SIGKILL')
    },
  },
  'replica-crash': {
    title: 'kill -9 of a replica',
    async inflict(cluster) {
      signal(postgresOf(await lastReplica(cluster)), 'SIGKILL')
    },
  },
  'log-reader': {
    title: 'kill -9 of the reader of the log',
    async inflict(cluster) {
      signal([readerOf(cluster)], 'SIGKILL')
    },
  },
  node: {
    title: 'kill -9 of a node',
    async inflict(cluster) {
      cluster.machines[1]?.node.kill()
    },
  },
  redis: {
    title: "kill -9 of Redis's primary, for longer than a failover",
    async inflict(cluster) {
      const machine = await redisPrimary(cluster)
      await machine.stop('redis', 'SIGKILL')
      await sleep(outageMs)
      machine.start('redis')
    },
  },
  'etcd-leader': {
    title: "kill -9 of etcd's leader",
    async inflict(cluster) {
      const lines = etcdctl(cluster, 'endpoint', 'status', '-w', 'simple').trim().split('\n')
      const leader = lines.map((line) => line.split(', ')).find((parts) => parts[4] === 'true')?.[0] ?? ''
      const machine = machineAt(cluster, new URL(leader).hostname)
      await machine.stop('etcd', 'SIGKILL')
      await sleep(restartAfterMs)
      machine.start('etcd')
    },
  },
  frozen: {
    title: 'SIGSTOP of the primary and its Patroni',
    async inflict(cluster) {
      const primary = await cluster.primary()
      const patroni = execFileSync('pgrep', ['-f', `${primary.root}/etc/patroni`], { encoding: 'utf8' })
      const pids = [...postgresOf(primary), ...patroni.trim().split('\n').map(Number)]
      signal(pids, 'SIGSTOP')
      await sleep(outageMs)
      signal(pids, 'SIGCONT')
    },
  },
  machine: {
    title: 'loss of the whole machine of the primary',
    async inflict(cluster) {
      const primary = await cluster.primary()
      await Promise.all([primary.node.lose(), primary.lose()])
      await sleep(outageMs)
      for (const part of ['etcd', 'patroni', 'redis', 'sentinel', 'haproxy'] as const) primary.start(part)
      primary.node.start()
    },
  },
  'full-disk': {
    title: "a full disk under the primary's data, for 20 s",
    async inflict(cluster) {
      const folder = dataFolderOf(await cluster.primary())
      const file = join(folder, 'full')
      // Until there is no room: the exit code is of no interest.
      spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M'], { stdio: 'ignore' })
      await sleep(fullMs)
      execFileSync('rm', [file])
    },
  },
  switchover: {
    title: 'a planned switchover',
    async inflict(cluster) {
      const leader = await cluster.primary()
      const candidate = await cluster.synchronous()
      const credentials = Buffer.from(`patroni:${leader.values.PATRONI_PASSWORD}`).toString('base64')
      const response = await fetch(`http://${leader.address}:8008/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
        body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
      })
      if (!response.ok) throw new Error(`the switchover was refused: ${await response.text()}`)
    },
  },
  upgrade: {
    title: 'an upgrade, node by node',
    isPlanned: true,
    async inflict({ machines }) {
      for (const { node } of machines) {
        await node.stop()
        node.start()
        await until('the upgraded node', () => node.isReady())
        await sleep(5_000) // HAProxy has to see it
      }
    },
  },
}
