import { parseConfig } from './config.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { buildLog } from './log.ts'
import type { WorkerOrder, WorkerReport } from './workers.ts'

/** One more process that serves the same installation (`WORKERS`). It is told what to serve by the first one, and ends with it. */
let gateway: Promise<Gateway> | undefined

process.once('message', ({ port, ...parts }: WorkerOrder) => {
  const config = { ...parseConfig(process.env), port, sharesPort: true }
  const log = buildLog({ level: config.logLevel, base: { worker: process.pid } })
  gateway = startGateway({ ...parts, config, log })
  gateway.then(
    () => report({ ready: true }),
    (error: unknown) => {
      report({ ready: false, reason: error instanceof Error ? error.message : String(error) })
      process.exitCode = 1
      process.disconnect()
    },
  )
})

// The first process has ended, or asks us to: either way the channel closes. Signals of the terminal are its business.
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
