import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Secrets } from '../../../secrets.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { type GatewayProcess, startGatewayProcess } from '../../../testing/gateway-process.ts'

/** The gateway in a process of its own, always at the same address, that is killed again and again (`kill -9`) and started anew. */
export type MortalServer = {
  readonly url: string
  readonly secrets: Secrets
  readonly deaths: () => number
  /** From now on it dies at random moments, some of them while it has hardly started. */
  haunt(dice: () => number): void
  /** Lets it live from now on. Resolves when it stands. */
  spare(): Promise<void>
  close(): Promise<void>
}

/** How long it is let live, in milliseconds: from hardly at all to some hundred requests. */
const lifeMs = (chance: number) => 100 + chance * 8_000

export async function startMortalServer(
  database: TestDatabase,
  env: Readonly<Record<string, string>>,
): Promise<MortalServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-mortal-'))
  const start = (port: number): Promise<GatewayProcess> =>
    // What it has compiled outlives it: a start costs half.
    startGatewayProcess({
      database,
      dataDir,
      env: { ...env, PORT: String(port), NODE_COMPILE_CACHE: join(dataDir, 'compiled') },
    })
  const port = await freePort()
  let alive = await start(port)
  const { url, secrets } = alive
  let deaths = 0
  let haunted = false
  let haunting = Promise.resolve()

  async function spare(): Promise<void> {
    haunted = false
    await haunting
  }

  return {
    url,
    secrets,
    deaths: () => deaths,
    haunt(dice) {
      haunted = true
      haunting = (async () => {
        while (haunted) {
          await sleep(lifeMs(dice()))
          await alive.kill()
          deaths += 1
          alive = await start(port)
        }
      })()
      haunting.catch(() => undefined) // told by `spare`
    },
    spare,
    async close() {
      await spare().catch(() => undefined)
      await alive.kill()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
