import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Secrets } from '../../../secrets.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { freePort } from '../../../testing/free-port.ts'
import { type GatewayProcess, startGatewayProcess } from '../../../testing/gateway-process.ts'
import type { FlakyNetwork } from './flaky-network.ts'

/** A gateway in a separate process, always at the same address, that is killed repeatedly (`kill -9`) and restarted. */
export type CrashableServer = {
  readonly url: string
  readonly secrets: Secrets
  readonly crashes: () => number
  /** Resolves when it is up: at once, or when the next one has replaced the one that died. */
  standing(): Promise<void>
  /**
   * From now on it dies at random moments, some of them while it has hardly started: after up to `most` webhooks and a moment. The provider
   * sends one when something has happened there, so that what the server heard of it is lost with it. Counting work instead of
   * time makes the same numbers bring as many crashes on a slow machine as on a fast one.
   */
  crashAtRandom(random: () => number, network: Pick<FlakyNetwork, 'after'>, most: number): void
  /** Stops the crashes. Resolves when it is up. */
  stopCrashing(): Promise<void>
  close(): Promise<void>
}

const longestMomentMs = 250

export async function startCrashableServer(
  database: TestDatabase,
  env: Readonly<Record<string, string>>,
): Promise<CrashableServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-crashable-'))
  const turns = await openTurns()
  const port = await freePort()
  const start = (more: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> =>
    // The compile cache outlives the process and halves the cost of a start.
    startGatewayProcess({
      database,
      dataDir,
      env: { ...env, PORT: String(port), NODE_COMPILE_CACHE: join(dataDir, 'compiled'), ...more },
    })
  const prepare = () => {
    const next = start({ NODE_OPTIONS: `--import=${waitForTurn}`, TURN_URL: turns.url })
    next.catch(() => undefined) // reported to those who await it
    return next
  }
  let alive = await start()
  const { url, secrets } = alive
  let crashes = 0
  let isCrashing = false
  let crashing = Promise.resolve()
  let standing = Promise.resolve()
  let stop: () => void = () => undefined

  async function stopCrashing(): Promise<void> {
    isCrashing = false
    stop()
    await crashing
  }

  return {
    url,
    secrets,
    crashes: () => crashes,
    standing: () => standing,
    crashAtRandom(random, network, most) {
      isCrashing = true
      const stopped = new Promise<void>((resolve) => (stop = resolve))
      crashing = (async () => {
        while (isCrashing) {
          const next = prepare()
          await Promise.race([network.after(Math.floor(random() * most)), stopped])
          await sleep(random() * longestMomentMs)
          standing = next.then(() => undefined)
          standing.catch(() => undefined)
          await alive.kill()
          crashes += 1
          turns.give()
          alive = await next
        }
      })()
      crashing.catch(() => undefined) // told by `stopCrashing`
    },
    stopCrashing,
    async close() {
      await stopCrashing().catch(() => undefined)
      await alive.kill()
      await turns.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const waitForTurn = new URL('wait-for-turn.ts', import.meta.url).href

/** Where the next server asks whether it is its turn (wait-for-turn.ts); there is no response until it is. */
async function openTurns() {
  const waiting: (() => void)[] = []
  let given = 0
  const answer = () => {
    while (given > 0 && waiting.length > 0) {
      given -= 1
      waiting.shift()?.()
    }
  }
  const server = createServer((_request, response) => {
    waiting.push(() => response.end())
    answer()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    give() {
      given += 1
      answer()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
