import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endDescendantsWithThisProcess } from '../testing/end-with-run.ts'

/** FFmpeg for videos: `npm test` finds or installs it. */
export const ffmpegPath = process.env.FFMPEG_PATH ?? '/usr/bin/ffmpeg'

const root = fileURLToPath(new URL('..', import.meta.url))
const startTimeoutMs = 180_000

/**
 * Starts the product as a new operator would, and passes its URL to the tests. With `E2E_URL`, `E2E_SANDBOX_URL`, and `E2E_DATA_DIR`, the
 * tests use a running one.
 */
export default async function startProduct() {
  if (process.env.E2E_URL) return
  endDescendantsWithThisProcess()
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-e2e-'))
  const port = await findFreePort()
  const sandboxPort = await findFreePort()
  const product = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      DEMO: '1',
      WORKERS: '1', // on every machine alike
      AUTH_OAUTH_SERVER_ENABLED: '1',
      FFMPEG_PATH: ffmpegPath,
      ADMIN_EMAIL: 'operator@example.com',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  product.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-20_000)
  })
  let log = ''
  product.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-20_000)
  })
  const url = `http://127.0.0.1:${port}`
  // It listens before its web app is ready, and is ready before its demo is complete: what is counted would change under the tests.
  await waitUntilReady(
    product,
    () => output.includes('The demo is complete'),
    () => log,
  )
  process.env.E2E_URL = url
  process.env.E2E_DATA_DIR = dataDir
  process.env.E2E_SANDBOX_URL = `http://127.0.0.1:${sandboxPort}`
  return async () => {
    product.kill('SIGTERM')
    await new Promise((done) => (product.exitCode === null ? product.once('exit', done) : done(undefined)))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function waitUntilReady(product: ChildProcess, isReady: () => boolean, log: () => string) {
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await sleep(100)) {
    if (product.exitCode !== null) throw new Error(`The product did not start:\n${log()}`)
    if (isReady()) return
  }
  product.kill('SIGKILL')
  throw new Error(`The product was not ready after ${startTimeoutMs / 1000} s:\n${log()}`)
}

/** The keys of the running product, from its data folder. */
export function readSecrets(): { anonKey: string; serviceRoleKey: string } {
  return JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR ?? '', 'secrets.json'), 'utf8'))
}

function findFreePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
