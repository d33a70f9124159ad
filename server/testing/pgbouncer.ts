import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPgBouncer } from './find-program.ts'
import { freePort } from './free-port.ts'
import { findUser } from './outside-postgres.ts'

export type PgBouncer = { readonly url: string; stop(): Promise<void> }

export type PgBouncerOptions = {
  /** Its sessions of the server. */
  readonly poolSize?: number
  /** Whether prepared statements work with transaction pooling, which needs `knowsPreparedStatements`. */
  readonly keepsStatements?: boolean
}

/** PgBouncer 1.21 and newer follow prepared statements from session to session; Debian 12 has 1.18. */
export const knowsPreparedStatements = (): boolean => minorVersion() >= 21

/** PgBouncer 1.23 and newer pass connections for replication on. */
export const passesReplication = (): boolean => minorVersion() >= 23

function minorVersion(): number {
  const version = execFileSync(findPgBouncer(), ['--version'], { encoding: 'utf8' })
  return Number(/PgBouncer 1\.(\d+)/.exec(version)?.[1])
}

/** PgBouncer in front of the database that `url` names; it lets the role of `url` in without a password. */
export async function startPgBouncer(
  url: string,
  poolMode: 'session' | 'transaction',
  { poolSize = 60, keepsStatements = false }: PgBouncerOptions = {},
): Promise<PgBouncer> {
  const { hostname, port: serverPort, pathname, username, password } = new URL(url)
  const database = pathname.slice(1)
  const folder = mkdtempSync(join(tmpdir(), 'ovation-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${database} = host=${hostname} port=${serverPort} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${poolMode}
default_pool_size = ${poolSize}
max_client_conn = 200
${knowsPreparedStatements() ? `max_prepared_statements = ${keepsStatements ? 200 : 0}` : ''}
`,
  )
  const user = process.getuid?.() === 0 ? findUser('postgres') : undefined // it refuses to run as root
  const child = spawn(findPgBouncer(), ['-q', join(folder, 'pgbouncer.ini')], { ...user, stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error('PgBouncer did not start')
    await sleep(20)
  }
  return {
    url: `postgres://${username}@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('error', () => done(false))
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
  })
}
