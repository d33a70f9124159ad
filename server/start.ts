import { join } from 'node:path'
import { type Sandbox, startSandbox } from '@ovation/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError, parseConfig } from './config.ts'
import { lockDataDir } from './data-lock.ts'
import { seedDemo } from './demo/seed.ts'
import { startGateway } from './gateway.ts'
import { buildLog } from './log.ts'
import { openDatabase } from './postgres/open.ts'
import { requireRestoredFolder } from './postgres/restoring.ts'
import { loadSecrets } from './secrets.ts'
import { announce } from './start-message.ts'
import { buildWebApp } from './web-build.ts'
import { startWorkers } from './workers.ts'

export type Ovation = { readonly url: string; stop(): Promise<void> }

/** Parts in the order they were started, stopped in reverse. */
type Stops = { readonly name: string; stop(): void | Promise<void> }[]

/**
 * Starts the whole product: database, sandbox, web app, gateway, demo data. What a start has begun is undone when a later part
 * fails, and when `signal` is aborted meanwhile.
 * @throws an Error with one sentence for the person who starts it, or the signal's reason.
 */
export async function startOvation(env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<Ovation> {
  const startedAt = performance.now()
  const config = parseConfig(env)
  const log = buildLog({ level: config.logLevel })
  const stops: Stops = []
  const stop = () => stopAll(stops, log)
  const begun = (part: Stops[number]) => {
    stops.push(part)
    signal?.throwIfAborted()
  }
  try {
    begun({ name: 'lock', stop: lockDataDir(config.dataDir).release })
    requireRestoredFolder(config.dataDir)
    const secrets = await loadSecrets(config)
    // Beside everything else, and awaited at the end; a failure meanwhile is the more telling one, and this must not go unhandled.
    const building = new AbortController()
    const webApp = config.migrate ? buildWebApp(log, building.signal) : undefined
    const built = webApp?.catch(() => undefined)
    begun({
      name: 'build of the web app',
      stop: () => {
        building.abort()
        return built
      },
    })
    const database = await openDatabase(config, secrets, log)
    begun({ name: 'database', stop: database.stop })
    const sandbox = database.isOurs ? await openSandbox(config, log) : undefined
    if (sandbox) begun({ name: 'sandbox', stop: sandbox.close })
    const { requestUrl, ownerUrl, isOurs } = database
    const served = { secrets, requestUrl, ownerUrl, isOurs, sandboxUrl: sandbox?.url }
    const gateway = await startGateway({ config, log, ...served })
    begun({ name: 'gateway', stop: gateway.close })
    if (config.workers > 1) {
      const order = { ...served, port: Number(new URL(gateway.url).port) }
      begun({ name: 'workers', stop: await startWorkers(config.workers - 1, order, log) })
    }
    sandbox?.setPublicUrl(gateway.services.siteUrl())
    sandbox?.setWebhook({ url: `${gateway.url}/functions/v1/stripe-webhook`, secret: secrets.sandboxWebhookSecret })
    const logins = config.demo ? await unlessAborted(seedDemo(gateway), signal) : undefined
    if (isOurs) await unlessAborted(webApp ?? buildWebApp(log, building.signal), signal)
    announce({ gateway, logins, startedInMs: performance.now() - startedAt })
    return { url: gateway.url, stop }
  } catch (error) {
    await stop()
    throw describe(error, config)
  }
}

/** What `work` brings; a rejection as soon as `signal` is aborted, and then nobody waits for the work any more. */
async function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const tell = () => reject(signal.reason)
  signal.addEventListener('abort', tell)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', tell)
  }
}

/** The payment sandbox, unless the configuration names a real Stripe. */
async function openSandbox(config: Config, log: FastifyBaseLogger): Promise<Sandbox | undefined> {
  const { dataDir, operator, stripe } = config
  if (stripe.secretKey !== undefined || stripe.apiBase !== undefined) return undefined
  return startSandbox({
    dailyPayouts: true,
    port: stripe.sandboxPort,
    file: join(dataDir, 'sandbox.sqlite'),
    merchant: operator.productName,
    log: log.child({ part: 'sandbox' }),
  })
}

async function stopAll(stops: Stops, log: FastifyBaseLogger) {
  for (const part of stops.splice(0).reverse()) {
    try {
      await part.stop()
    } catch (err) {
      log.error({ err, part: part.name }, 'a part did not stop cleanly')
    }
  }
}

function describe(error: unknown, { host, port }: Config): Error {
  if (error instanceof ConfigError) return error
  const { code } = error as { code?: unknown }
  if (code === 'EADDRINUSE') return new Error(`PORT ${port} on ${host} is taken by another program: set another PORT.`)
  if (code === 'EACCES')
    return new Error(`PORT ${port} on ${host} needs more rights than this user has: set another PORT.`)
  return error instanceof Error ? error : new Error(String(error))
}
