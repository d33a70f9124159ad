import { once } from 'node:events'
import { startOvation } from './start.ts'

/** `npm start`: the whole product, until SIGTERM or Ctrl-C, also while it starts. A second signal does not wait for the order. */
const asked = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (asked.signal.aborted) process.exit(1)
    asked.abort()
  })
}
try {
  const product = await startOvation(process.env, asked.signal)
  if (!asked.signal.aborted) await once(asked.signal, 'abort')
  await product.stop()
  process.exit(0)
} catch (error) {
  if (asked.signal.aborted && error === asked.signal.reason) process.exit(0)
  // What went wrong is one sentence for whoever starts the product; the stack is for those who ask.
  process.stderr.write(`Ovation did not start. ${error instanceof Error ? error.message : String(error)}\n`)
  if (process.env.LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}
