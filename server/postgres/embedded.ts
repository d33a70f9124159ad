import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, findBinaries } from './embedded-binaries.ts'
import { chooseIdentity, type Identity } from './embedded-identity.ts'
import { stopOrphan } from './embedded-orphan.ts'

export type EmbeddedOptions = {
  /** The cluster is in `<dataDir>/postgres`. */
  readonly dataDir: string
  /** Password of the superuser `postgres`. */
  readonly password: string
  /** Extra server settings; tests trade durability for speed here, the product never does. */
  readonly settings?: Readonly<Record<string, string>>
  /** Called with each line that the server logs. */
  readonly onLog?: (line: string) => void
}

export type EmbeddedPostgres = {
  /** Connection string of the superuser for a database of this server. */
  url(database: string): string
  /** Resolves when the server has stopped: fast shutdown first, immediate after 3.5 s, so that a stop takes less than 5 s. */
  stop(): Promise<void>
}

const startTimeoutMs = 30_000
const fastShutdownMs = 3_500

/**
 * Starts PostgreSQL from npm's binaries on a free loopback port, and creates the cluster if there is none.
 * The caller holds the lock of `dataDir`, so a server that still runs there is an orphan of a killed process and is stopped.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = findBinaries()
  const directory = join(options.dataDir, 'postgres')
  mkdirSync(options.dataDir, { recursive: true })
  const identity = chooseIdentity(binaries.postgres, options.dataDir)
  await stopOrphan(directory)
  if (!existsSync(directory)) createCluster(binaries, identity, directory, options)
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    const port = await findFreePort()
    const attempt = await launch(binaries, identity, directory, port, options)
    if (attempt.running) {
      const launchAgain = async () => {
        options.onLog?.('FATAL: the server has ended by itself and is started again')
        const again = await launch(binaries, identity, directory, port, options)
        return again.running ? again.server : undefined
      }
      return {
        url: (database) => `postgres://postgres:${options.password}@127.0.0.1:${port}/${database}`,
        stop: keepRunning(attempt.server, launchAgain),
      }
    }
    // Another program took the port, or the last server's processes still hold its memory: both are temporary.
    const transient = /already in use|Address in use|could not bind|shared memory block/i.test(attempt.output)
    if (!transient || Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${lastLines(attempt.output)}`)
    await sleep(200)
  }
}

/** Created under another name and renamed: an interrupted first start leaves no half-made cluster behind. */
function createCluster({ initdb }: Binaries, identity: Identity, directory: string, { password }: EmbeddedOptions) {
  const unfinished = `${directory}.new`
  const passwordFile = `${directory}.password`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (identity.uid !== undefined && identity.gid !== undefined) {
    chownSync(unfinished, identity.uid, identity.gid)
    chownSync(passwordFile, identity.uid, identity.gid)
  }
  try {
    const [command, args] = identity.wrap(initdb, [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same sort order on every machine, whatever its locales.
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
      '--no-sync',
    ])
    const made = spawnSync(command, args, { ...identity.spawnOptions, env: serverEnvironment(), encoding: 'utf8' })
    if (made.status !== 0) {
      throw new Error(`PostgreSQL's cluster could not be created: ${lastLines(made.stderr || String(made.error))}`)
    }
  } finally {
    unlinkSync(passwordFile)
  }
  renameSync(unfinished, directory)
}

type Server = { readonly pid: number; readonly exited: Promise<void>; kill(signal: NodeJS.Signals): void }

async function launch(
  { postgres }: Binaries,
  identity: Identity,
  directory: string,
  port: number,
  options: EmbeddedOptions,
): Promise<{ running: true; server: Server } | { running: false; output: string }> {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    wal_level: 'logical',
    max_connections: '200', // a dozen for each of many `WORKERS`
    max_wal_senders: '16',
    max_replication_slots: '16',
    // A disconnected reader must not fill the disk with log.
    max_slot_wal_keep_size: '1GB',
    shared_buffers: '128MB',
    jit: 'off',
    // SSDs have no seek cost. At the default of 4, PostgreSQL sorts a page of rows instead of reading it in order from an index.
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  }
  const [command, args] = identity.wrap(postgres, [
    '-D',
    directory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const child = spawn(command, args, {
    ...identity.spawnOptions,
    env: serverEnvironment(),
    // Its own process group: Ctrl-C reaches only this process, which then stops the server cleanly.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  let over = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-8_000)
    for (const line of text.split('\n')) if (line.trim()) options.onLog?.(line)
  })
  const exited = new Promise<void>((done) => {
    child.once('error', (error) => {
      output += error.message
      over = true
      done()
    })
    child.once('exit', () => {
      over = true
      done()
    })
  })
  const deadline = Date.now() + startTimeoutMs
  while (!over && Date.now() < deadline) {
    if (await answers(port, options.password)) {
      const kill = (signal: NodeJS.Signals) => void child.kill(signal)
      return { running: true, server: { pid: child.pid ?? 0, exited, kill } }
    }
    await sleep(25)
  }
  child.kill('SIGQUIT')
  await exited
  return { running: false, output }
}

async function answers(port: number, password: string): Promise<boolean> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false // not yet: it is starting, or recovering after a crash
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Restarts the server on the same port when it ends unexpectedly: out of memory, or killed by hand. Otherwise the product would
 * have no database until an operator notices.
 * @returns a function that stops it for good.
 */
function keepRunning(first: Server, launchAgain: () => Promise<Server | undefined>): () => Promise<void> {
  let server = first
  let isStopping = false
  const over = (async () => {
    for (;;) {
      await server.exited
      for (let waitMs = 200; !isStopping; waitMs = Math.min(2 * waitMs, 10_000)) {
        const next = await launchAgain()
        if (next) {
          server = next
          break
        }
        await sleep(waitMs, undefined, { ref: false })
      }
      if (isStopping) return stop(server)
    }
  })()
  return async () => {
    isStopping = true
    await stop(server)
    await over
  }
}

async function stop(server: Server) {
  server.kill('SIGINT')
  const stopped = await Promise.race([server.exited.then(() => true), sleep(fastShutdownMs, false, { ref: false })])
  if (stopped) return
  server.kill('SIGQUIT')
  await server.exited
}

function findFreePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer().once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The machine's PG* variables and locale would change the server's behavior. A killed test run finds its servers by `TEST_RUN_ID`. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TEST_RUN_ID } = process.env
  return { PATH, ...(TEST_RUN_ID && { TEST_RUN_ID }), LC_ALL: 'C', TZ: 'UTC' }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-4).join(' / ')
}
