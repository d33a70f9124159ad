import { parentPort, workerData } from 'node:worker_threads'
import { inspectStructure, TooManyParts } from './picture-end.ts'

/** Walking through a large file keeps a processor busy, so it has its own thread, which ends with it. */
try {
  parentPort?.postMessage({ structure: await inspectStructure(workerData.file, workerData.format) })
} catch (error) {
  if (!(error instanceof TooManyParts)) throw error
  parentPort?.postMessage({ tooManyParts: true })
}
