import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Secrets } from '../secrets.ts'

export type GatewayProcess = {
  readonly url: string
  readonly secrets: Secrets
  readonly pid: number
  /** Ends it like a power cut: no handler runs. */
  kill(): Promise<void>
}

type Options = {
  readonly database: { readonly requestUrl: string; readonly ownerUrl: string }
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
  /** Shell commands to run before it, e.g. a resource limit. */
  readonly before?: string
}

/** The gateway as a process, on a database that outlives it. The same `PORT` in `env` lets clients find it again. */
export async function startGatewayProcess({
  database,
  dataDir,
  env = {},
  before = '',
}: Options): Promise<GatewayProcess> {
  const program = fileURLToPath(new URL('run-gateway.ts', import.meta.url))
  const child: ChildProcess = spawn(
    'sh',
    ['-c', `${before}\nexec "$0" "$@"`, process.execPath, '--disable-warning=ExperimentalWarning', program],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        TEST_RUN_ID: process.env.TEST_RUN_ID, // it ends with the test run
        NODE_ENV: 'test',
        PORT: '0',
        LOG_LEVEL: 'fatal',
        DEMO: '0',
        DATA_DIR: dataDir,
        GATEWAY_REQUEST_URL: database.requestUrl,
        GATEWAY_OWNER_URL: database.ownerUrl,
        ...env,
      },
    },
  )
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'exit')
  const url = await Promise.race([
    new Promise<string>((resolve) =>
      child.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim())),
    ),
    ended.then(() => Promise.reject(new Error(`the gateway did not start:\n${errors}`))),
  ])
  return {
    url,
    secrets: JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets,
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
