import { parseConfig } from './config.ts'
import { renderFirstPage } from './first-page.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { buildLog } from './log.ts'
import { Line, Processes } from './processes.ts'
import { Readiness } from './readiness.ts'
import type { WorkerOrder, WorkerReport } from './workers.ts'

/** One more process that serves the same installation (`WORKERS`). The first process sends its options, and it ends with that process. */
let gateway: Promise<Gateway> | undefined

const readiness = new Readiness()
const line = new Line(
  { send: (message) => process.send?.(message), on: (event, listener) => process.on(event, listener) },
  { own: async () => [await processes.own()] },
)
const processes = new Processes(() => line.ask('others'))

process.once('message', ({ port, ...parts }: WorkerOrder) => {
  // A stopping process wants no more requests.
  process.on('message', (message) => message === 'stopping' && readiness.stop())
  const config = { ...parseConfig(process.env), port, sharesPort: true }
  const log = buildLog({ level: config.logLevel, base: { worker: process.pid } })
  gateway = startGateway({ ...parts, config, log, readiness, processes })
  gateway.then(
    (started) => {
      report({ ready: true })
      if (parts.hasProductSchema) void renderFirstPage(started.app)
    },
    (error: unknown) => {
      report({ ready: false, reason: error instanceof Error ? error.message : String(error) })
      process.exitCode = 1
      process.disconnect()
    },
  )
})

// The channel closes when the first process ends or stops us. Signals from the terminal are the first process's business.
process.once('disconnect', () => {
  Promise.resolve(gateway)
    .then((started) => started?.close())
    .then(
      () => process.exit(),
      () => process.exit(1),
    )
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

function report(message: WorkerReport) {
  process.send?.(message)
}
