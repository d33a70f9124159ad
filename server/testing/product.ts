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
  /** Memory of the gateway now, in bytes. */
  memoryBytes(): number
  stop(): Promise<void>
  /** As a power cut does: no handler runs, nothing is written any more. Of `database`, the server that came with it. */
  kill(victim: Victim): Promise<void>
}
export type Victim = 'server' | 'database' | 'both'

/** The whole product as a process of its own, as `npm start` runs it; without the demo's people unless `env` wants them. */
export async function startProduct(
  dataDir: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: `${port}`, DEMO: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let said = ''
  await Promise.race([
    new Promise<void>((resolve) =>
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (/is ready in/.test(said)) resolve()
      }),
    ),
    ended.then(() => Promise.reject(new Error('the product did not start'))),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    secrets: JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets,
    pid: child.pid as number,
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

/** The first line of postmaster.pid is whom PostgreSQL's other processes follow. */
function killDatabase(dataDir: string): void {
  const folder = join(dataDir, 'postgres')
  try {
    const [pid = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    // The number may be another's by now.
    if (execFileSync('ps', ['-o', 'args=', '-p', pid], { encoding: 'utf8' }).includes(folder))
      process.kill(+pid, 'SIGKILL')
  } catch (error) {
    // Dead already, or about to be started: `ps` finds nobody (1), there is no file, or it went in between.
    const { code, status } = error as { code?: string; status?: number }
    if (status !== 1 && code !== 'ESRCH' && code !== 'ENOENT') throw error
  }
}
