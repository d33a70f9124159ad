import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Secrets } from '../secrets.ts'

export type Product = {
  readonly url: string
  readonly secrets: Secrets
  readonly pid: number
  /** The lines of its log so far. */
  logged(): string[]
  /** Current memory of the gateway, in bytes. */
  memoryBytes(): number
  stop(): Promise<void>
  /** Kills it like a power cut: no handler runs, and nothing is written any more. `database` kills the embedded server. */
  kill(victim: Victim): Promise<void>
}
export type Victim = 'server' | 'database' | 'both'

/** The whole product as a process, as `npm start` runs it; without the demo unless `env` enables it, and then with all of it. */
export async function startProduct(
  dataDir: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: `${port}`, DEMO: '0', LOG_LEVEL: 'error', WORKERS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
    process.stderr.write(text.replaceAll(/^\{"level":30.*\n/gm, '')) // one for each request, if asked for
  })
  const isReady = env.DEMO === '1' ? /The demo is complete/ : /is ready in/
  await Promise.race([
    new Promise<void>((resolve) =>
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (isReady.test(said)) resolve()
      }),
    ),
    ended.then(() => Promise.reject(new Error('the product did not start'))),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    secrets: JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets,
    pid: child.pid as number,
    logged: () => log.split('\n'),
    memoryBytes: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', `${child.pid}`])) * 1024,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    async kill(victim) {
      if (victim !== 'server') killDatabase(dataDir)
      if (victim === 'database') return
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The first line of postmaster.pid is the parent of PostgreSQL's other processes. */
function killDatabase(dataDir: string): void {
  const folder = join(dataDir, 'postgres')
  try {
    const [pid = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    // Another process may have that id by now.
    if (execFileSync('ps', ['-o', 'args=', '-p', pid], { encoding: 'utf8' }).includes(folder))
      process.kill(+pid, 'SIGKILL')
  } catch (error) {
    // Already dead, or about to be restarted: `ps` finds nothing (1), there is no file, or it disappeared in between.
    const { code, status } = error as { code?: string; status?: number }
    if (status !== 1 && code !== 'ESRCH' && code !== 'ENOENT') throw error
  }
}
