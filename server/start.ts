import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '@ovation/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { type Config, ConfigError, parseConfig } from './config.ts'
import { lockDataDir } from './data-lock.ts'
import { fillInBackground } from './demo/fill-in-background.ts'
import { lacksPast } from './demo/history/fill.ts'
import { seedDemo } from './demo/seed.ts'
import { LocalExchange } from './exchange/local-exchange.ts'
import { renderFirstPage } from './first-page.ts'
import { startGateway } from './gateway.ts'
import { describeListening, probePort } from './http/probe-port.ts'
import { buildLog } from './log.ts'
import { openDatabase } from './postgres/open.ts'
import { requireRestoredFolder } from './postgres/restoring.ts'
import { Processes } from './processes.ts'
import { Readiness } from './readiness.ts'
import { loadSecrets } from './secrets.ts'
import { announce } from './start-message.ts'
import { startTelemetry } from './start-telemetry.ts'
import { buildWebApp } from './web-build.ts'
import { startWorkers, type Workers } from './workers.ts'

export type Ovation = {
  readonly url: string
  /** Closes connections to the database that nobody uses now. */
  closeFreeConnections(): void
  stop(): Promise<void>
}

/** Parts in the order in which they started; they stop in reverse. */
type Stops = { readonly name: string; stop(): unknown }[]

/**
 * Starts the whole product: database, sandbox, web app, gateway, demo data. If a later part fails, or `signal` is aborted, the parts that
 * have started are stopped.
 * @throws an Error with one sentence for the user who starts it, or the signal's reason.
 */
export async function startOvation(env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<Ovation> {
  const startedAt = performance.now()
  const config = parseConfig(env)
  const telemetry = await startTelemetry(config)
  const log = buildLog({ level: config.logLevel, fields: telemetry?.logFields })
  telemetry?.reportTo(log)
  const stops: Stops = []
  const readiness = new Readiness('starting')
  const stop = () => stopAll(stops, log)
  const begun = (part: Stops[number]) => {
    stops.push(part)
    signal?.throwIfAborted()
  }
  try {
    if (telemetry) begun({ name: 'telemetry', stop: () => telemetry.stop() })
    begun({ name: 'lock', stop: lockDataDir(config.dataDir).release })
    requireRestoredFolder(config.dataDir)
    await probePort(config.host, config.port)
    for (const { name, meant } of config.unknownVariables)
      log.warn(`${name} isn't a setting of Ovation${meant ? `: did you mean ${meant}?` : ', and has no effect'}`)
    const secrets = await loadSecrets(config)
    // Runs in parallel and is awaited at the end. An earlier failure elsewhere says more, and a rejection here must not go unhandled.
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
    const sandbox = database.hasProductSchema ? await openSandbox(config, log) : undefined
    if (sandbox) begun({ name: 'sandbox', stop: sandbox.close })
    const { requestUrl, ownerUrl, hasProductSchema } = database
    const served = { secrets, requestUrl, ownerUrl, hasProductSchema, sandboxUrl: sandbox?.url }
    let workers: Workers | undefined
    const processes = new Processes(async () => (await workers?.gather()) ?? [])
    const exchange = config.workers > 1 ? new LocalExchange((...message) => workers?.deliver(...message)) : undefined
    const gateway = await startGateway({ config, log, ...served, readiness, processes, exchange, telemetry })
    begun({ name: 'gateway', stop: gateway.close })
    sandbox?.setPublicUrl(gateway.services.siteUrl())
    sandbox?.setWebhook({ url: `${gateway.url}/functions/v1/stripe-webhook`, secret: secrets.sandboxWebhookSecret })
    const logins = config.demo && hasProductSchema ? await unlessAborted(seedDemo(gateway), signal) : undefined
    if (hasProductSchema) await unlessAborted(webApp ?? buildWebApp(log, building.signal), signal)
    // Last, because workers are ready as soon as they listen.
    const order = { ...served, port: Number(new URL(gateway.url).port) }
    if (exchange) {
      const started = await startWorkers({
        count: config.workers - 1,
        order,
        log,
        graceMs: config.shutdownGraceMs,
        own: () => processes.own(),
        exchange,
      })
      workers = started
      begun({ name: 'workers', stop: () => Promise.all([gateway.drain(), started.stop()]) })
    }
    begun({ name: 'readiness', stop: () => leave(readiness, workers, config.drainMs) })
    readiness.serve()
    const isFilling = logins !== undefined && sandbox !== undefined && (await lacksPast(gateway))
    announce({ gateway, logins, startedInMs: performance.now() - startedAt, isFilling })
    if (hasProductSchema) void renderFirstPage(gateway.app)
    if (isFilling) begun({ name: 'demo', stop: fillInBackground({ gateway, ownerUrl, sandbox, log }).stop })
    else sandbox?.resumeClock()
    return { url: gateway.url, closeFreeConnections: gateway.closeFreeConnections, stop }
  } catch (error) {
    await stop()
    throw describe(error, config)
  }
}

/** Load balancers see that this process wants no more requests before it rejects any. */
async function leave(readiness: Readiness, workers: Workers | undefined, drainMs: number) {
  readiness.stop()
  workers?.announceStop()
  await sleep(drainMs)
}

/** The result of `work`. Rejects as soon as `signal` is aborted, without waiting for the work. */
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

const firstTopUpCents = 1_000_000

/** The payment sandbox, unless a real Stripe is configured. */
async function openSandbox(config: Config, log: FastifyBaseLogger): Promise<Sandbox | undefined> {
  const { dataDir, operator, stripe } = config
  if (stripe.secretKey !== undefined || stripe.apiBase !== undefined) return undefined
  const file = join(dataDir, 'sandbox.sqlite')
  // It holds names and addresses of customers. SQLite gives its companion files the same mode.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const sandbox = await startSandbox({
    // A year of payments that a stopped start has left unfinished isn't billed until today.
    isClockPaused: config.demo,
    dailyPayouts: true,
    port: stripe.sandboxPort,
    file,
    merchant: operator.productName,
    log: log.child({ part: 'sandbox' }),
  })
  // Operators have some balance there: a fan's payment isn't available for referral transfers for two days.
  if (sandbox.books().toppedUp === 0) sandbox.topUp(firstTopUpCents)
  return sandbox
}

async function stopAll(stops: Stops, log: FastifyBaseLogger) {
  for (const part of stops.splice(0).reverse()) {
    try {
      await part.stop()
    } catch (err) {
      log.error({ err, part: part.name }, 'a part failed to stop cleanly')
    }
  }
}

function describe(error: unknown, { host, port }: Config): Error {
  if (error instanceof ConfigError) return error
  const address = describeListening(error, host, port)
  if (address) return address
  // PostgreSQL errors in a migration often come with a hint.
  if (error instanceof pg.DatabaseError && error.hint)
    return new Error(`${error.message}. ${error.hint}`, { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}
