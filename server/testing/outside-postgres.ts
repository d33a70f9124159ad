import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPostgres } from './find-program.ts'
import { freePort } from './free-port.ts'

export type OutsidePostgres = {
  /** Connection string of an empty database, for `DATABASE_URL`. */
  readonly url: string
  /** Connection string of another database, or of another role, which needs no password. */
  urlOf(database: string, role?: string): string
  /** Stops the server and restarts it at the same address: cleanly, as an operator does, or as after a crash. */
  restart(how: 'in order' | 'after a crash'): Promise<void>
  /** A hot standby of it that replicates by streaming. */
  addStandby(): Promise<OutsidePostgres>
  /** Makes a standby take writes. */
  promote(): Promise<void>
  /** Stops all its processes where they are, as when its machine hangs: connections stay open and nothing answers. */
  freeze(): void
  /** Lets them go on. */
  thaw(): void
  stop(): Promise<void>
}

const startTimeoutMs = 30_000

/** A PostgreSQL outside the product: the machine's package, as an operator runs it. `overrides` are settings of the server. */
export async function startOutsidePostgres(overrides: Readonly<Record<string, string>> = {}): Promise<OutsidePostgres> {
  const cluster = await startServer(overrides, ({ dataDir, run }) =>
    run('initdb', '-D', dataDir, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'),
  )
  const client = await connect(cluster.urlOf('postgres'))
  await client.query('create database ovation')
  await client.end()
  return cluster
}

type Place = { readonly dataDir: string; readonly run: (program: string, ...args: string[]) => void }

/** @param fill makes the data directory. */
async function startServer(
  overrides: Readonly<Record<string, string>>,
  fill: (place: Place) => void,
): Promise<OutsidePostgres> {
  const program = findPostgres()
  const user = process.getuid?.() === 0 ? findUser('postgres') : undefined // PostgreSQL refuses to run as root
  const folder = mkdtempSync(join(tmpdir(), 'ovation-outside-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const dataDir = join(folder, 'data')
  const as = { ...user, cwd: folder, stdio: 'ignore' } as const
  fill({ dataDir, run: (name, ...args) => execFileSync(join(dirname(program), name), args, as) })
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    wal_level: 'logical', // the product's only requirement
    fsync: 'off',
    ...overrides,
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const start = (): ChildProcess => spawn(program, ['-D', dataDir, '-p', `${port}`, ...options], as)
  let server = start()
  let frozen: number[] = []
  let isStopped = false
  async function end(signal: 'SIGINT' | 'SIGQUIT') {
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  function thaw() {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
    frozen = []
  }
  const url = (name: string, role = 'postgres') => `postgresql://${role}@127.0.0.1:${port}/${name}`
  await (await connect(url('postgres'))).end()
  return {
    url: url('ovation'),
    urlOf: url,
    async restart(how) {
      await end(how === 'in order' ? 'SIGINT' : 'SIGQUIT')
      server = start()
      await (await connect(url('ovation'))).end()
    },
    addStandby: () =>
      startServer(overrides, ({ dataDir: copy, run }) =>
        run('pg_basebackup', '-D', copy, '-d', url('postgres'), '-R', '-X', 'stream', '-c', 'fast', '--no-sync'),
      ),
    async promote() {
      const client = await connect(url('postgres'))
      await client.query('select pg_promote()')
      await client.end()
    },
    freeze() {
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', `${server.pid}`], { encoding: 'utf8' })
      frozen = [server.pid ?? 0, ...children.split('\n').map(Number)].filter((pid) => pid > 0)
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    },
    thaw,
    async stop() {
      if (isStopped) return
      isStopped = true
      thaw()
      await end('SIGQUIT') // immediately: nothing of it is kept
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  for (const deadline = Date.now() + startTimeoutMs; ; await sleep(50)) {
    const client = new pg.Client({ connectionString })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

/** @returns the ids of a user of this machine. */
export function findUser(name: string): { uid: number; gid: number } {
  const ask = (what: string) => Number(execFileSync('id', [what, name], { encoding: 'utf8' }))
  return { uid: ask('-u'), gid: ask('-g') }
}
