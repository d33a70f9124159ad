import { type BirpcReturn, createBirpc } from 'birpc'
import { parseConfig } from './config.ts'
import { WorkerExchange } from './exchange/worker-exchange.ts'
import { renderFirstPage } from './first-page.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { giveBackMemoryWhenQuiet } from './give-back-memory.ts'
import { buildLog } from './log.ts'
import { Processes } from './processes.ts'
import { Readiness } from './readiness.ts'
import { startTelemetry } from './start-telemetry.ts'
import type { Telemetry } from './telemetry.ts'
import { answersWithinMs, type FirstProcess, type WorkerOrder, type WorkerProcess } from './workers.ts'

/** One more process that serves the same installation (`WORKERS`). The first process sends its options, and it ends with that process. */
let gateway: Promise<Gateway> | undefined
let telemetry: Telemetry | undefined

const readiness = new Readiness()
const first: BirpcReturn<FirstProcess> = createBirpc<FirstProcess, WorkerProcess>(
  {
    serve,
    announceStop: () => readiness.stop(),
    ownFigures: () => processes.own(),
    deliver: (channel, message) => exchange.deliver(channel, message),
  },
  {
    post: (message) => void (process.connected && process.send?.(message)),
    on: (listener) => void process.on('message', listener),
    timeout: answersWithinMs,
  },
)
const processes = new Processes(() => first.otherFigures())
const exchange = new WorkerExchange({
  spend: (...use) => first.spend(...use),
  remember: (...key) => first.remember(...key),
  recall: (...key) => first.recall(...key),
  publish: (...message) => first.publish.asEvent(...message),
  keep: (stream) => ({
    takeOver: (writer) => first.takeOver(stream, writer),
    append: (writer, entries) => first.append(stream, writer, entries),
    last: () => first.last(stream),
  }),
})

async function serve({ port, ...parts }: WorkerOrder) {
  const config = { ...parseConfig(process.env), port, sharesPort: true }
  // The first process exports the figures of all.
  telemetry = await startTelemetry({ port, telemetry: { ...config.telemetry, metrics: false } })
  const log = buildLog({ level: config.logLevel, base: { worker: process.pid }, fields: telemetry?.logFields })
  telemetry?.reportTo(log)
  gateway = startGateway({ ...parts, config, log, readiness, processes, exchange, telemetry })
  try {
    const { app, closeFreeConnections } = await gateway
    await first.serves.asEvent()
    giveBackMemoryWhenQuiet(closeFreeConnections)
    if (parts.hasProductSchema) void renderFirstPage(app)
  } catch (error) {
    await first.failed.asEvent(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
    process.disconnect()
  }
}

// The channel closes when the first process ends or stops us. Signals from the terminal are the first process's business.
process.once('disconnect', () => {
  Promise.resolve(gateway)
    .then((started) => started?.close())
    .then(() => telemetry?.stop())
    .then(
      () => process.exit(),
      () => process.exit(1),
    )
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
