import { once } from 'node:events'
import { giveBackMemoryWhenQuiet } from './give-back-memory.ts'
import { startOvation } from './start.ts'

/** `npm start`: runs the whole product until SIGTERM or Ctrl-C, even during the start. A second signal ends it immediately. */
const asked = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (asked.signal.aborted) process.exit(1)
    asked.abort()
  })
}
try {
  const product = await startOvation(process.env, asked.signal)
  giveBackMemoryWhenQuiet(product.closeFreeConnections)
  if (!asked.signal.aborted) await once(asked.signal, 'abort')
  await product.stop()
  process.exit(0)
} catch (error) {
  if (asked.signal.aborted && error === asked.signal.reason) process.exit(0)
  // The user sees the error as one sentence; the stack appears on request.
  process.stderr.write(`Ovation did not start. ${error instanceof Error ? error.message : String(error)}\n`)
  if (process.env.LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}
