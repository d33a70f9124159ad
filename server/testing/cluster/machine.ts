import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findEtcd, findHaproxy, findPatroni, findPgBouncer, findRedis } from '../find-program.ts'
import { findUser } from '../outside-postgres.ts'
import { type ClusterValues, loopbackValues, type MachineName, parseEnv, renderForLoopback } from './files.ts'

export type Part = 'etcd' | 'patroni' | 'redis' | 'sentinel' | 'haproxy' | 'pgbouncer'

export type Machine = {
  readonly name: MachineName
  readonly address: string
  readonly values: ClusterValues
  /** Where its folders are. The programs' output is in `log/<part>`. */
  readonly root: string
  start(part: Part): void
  /** Ends one of its programs; Patroni ends PostgreSQL with it unless it is killed. */
  stop(part: Part, signal?: NodeJS.Signals): Promise<void>
  /** Ends all of them, PostgreSQL too, without a chance to say goodbye: the machine is gone. */
  lose(): Promise<void>
  /** Ends all of them in order. */
  close(): Promise<void>
}

/** The programs as the accounts that own their files: PostgreSQL refuses to run as root. */
const asPostgres = () => (process.getuid?.() === 0 ? findUser('postgres') : undefined)

/**
 * One machine of the cluster of deploy/cluster, with the files of that folder. All three are this machine, with a loopback address each.
 * @param root an empty folder with a short name: a socket's path has at most 107 characters.
 */
export function prepareMachine(name: MachineName, network: number, root: string): Machine {
  const values = loopbackValues(name, network)
  const address = values.ADDRESS ?? ''
  const running = new Map<Part, ChildProcess>()
  const user = asPostgres()
  const place = (path: string) => join(root, path)

  mkdirSync(place('var/run/postgresql'), { recursive: true })
  for (const folder of ['var/lib/postgresql', 'var/lib/etcd', 'var/lib/redis', 'var/log/postgresql', 'run/haproxy'])
    mkdirSync(place(folder), { recursive: true })
  for (const folder of ['etc/default', 'etc/patroni', 'etc/haproxy', 'etc/redis', 'etc/pgbouncer', 'log'])
    mkdirSync(place(folder), { recursive: true })
  const files = {
    'etcd.env': 'etc/default/etcd',
    'patroni.yml': 'etc/patroni/config.yml',
    'haproxy.cfg': 'etc/haproxy/haproxy.cfg',
    'redis.conf': 'etc/redis/redis.conf',
    'sentinel.conf': 'etc/redis/sentinel.conf',
    'pgbouncer.ini': 'etc/pgbouncer/pgbouncer.ini',
  }
  for (const [file, path] of Object.entries(files)) writeFileSync(place(path), renderForLoopback(file, values, root))
  writeFileSync(place('etc/pgbouncer/userlist.txt'), `"ovation" "${values.DATABASE_PASSWORD}"\n`)
  const key = place('etc/haproxy/key.pem')
  const certificate = place('etc/haproxy/creators.example.com.pem')
  const subject = ['-subj', '/CN=creators.example.com', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '9', ...subject], {
    stdio: 'ignore',
  })
  execFileSync('sh', ['-c', 'cat "$1" >> "$2"', 'sh', key, certificate])
  if (user)
    for (const path of ['var/lib/postgresql', 'var/run/postgresql', 'var/log/postgresql'])
      chownSync(place(path), user.uid, user.gid)

  const commands: Record<Part, () => [string, ...string[]]> = {
    etcd: () => [findEtcd()],
    patroni: () => [findPatroni(), place(files['patroni.yml'])],
    redis: () => [findRedis(), place(files['redis.conf'])],
    sentinel: () => [findRedis(), place(files['sentinel.conf']), '--sentinel'],
    haproxy: () => [findHaproxy(), '-db', '-f', place(files['haproxy.cfg'])],
    pgbouncer: () => [findPgBouncer(), place(files['pgbouncer.ini'])],
  }

  function start(part: Part) {
    const [program, ...args] = commands[part]()
    const isPostgres = part === 'patroni' || part === 'pgbouncer' // neither runs as root
    const output = openSync(place(`log/${part}`), 'a')
    const own = part === 'etcd' ? parseEnv(renderForLoopback('etcd.env', values, root)) : {}
    const child = spawn(program, args, {
      ...(isPostgres ? user : undefined),
      cwd: place(isPostgres ? 'var/lib/postgresql' : '.'),
      stdio: ['ignore', output, output],
      env: { PATH: process.env.PATH, TEST_RUN_ID: process.env.TEST_RUN_ID, ...own },
    })
    running.set(part, child)
  }

  async function stop(part: Part, signal: NodeJS.Signals = 'SIGTERM') {
    const child = running.get(part)
    running.delete(part)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  return {
    name,
    address,
    values,
    root,
    start,
    stop,
    async lose() {
      await Promise.all([...running.keys()].map((part) => stop(part, 'SIGKILL')))
      killBelow(place('var/lib/postgresql'))
    },
    async close() {
      for (const part of [...running.keys()].toReversed()) await stop(part)
    },
  }
}

/** Kills the PostgreSQL whose data are in `folder`: its first process has the folder among its arguments, and is the others' parent. */
function killBelow(folder: string) {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  const processes = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)?.slice(1) ?? [])
  const first = processes.find(([, , args = '']) => /postgres/.test(args) && args.includes(`-D ${folder}`))?.[0]
  if (first === undefined) return
  for (const [pid, parent] of processes) if (pid === first || parent === first) kill(Number(pid))
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended by itself
  }
}
