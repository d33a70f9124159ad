import { startOvation } from './start.ts'

/** `npm start`: the whole product, until SIGTERM or Ctrl-C. A second signal does not wait for the order. */
try {
  const product = await startOvation(process.env)
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      product.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
          process.exit(1)
        },
      )
    })
  }
} catch (error) {
  // What went wrong is one sentence for whoever starts the product; the stack is for those who ask.
  process.stderr.write(`Ovation did not start. ${error instanceof Error ? error.message : String(error)}\n`)
  if (process.env.LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}
