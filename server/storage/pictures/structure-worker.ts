import { parentPort, workerData } from 'node:worker_threads'
import { inspectStructure, TooManyParts } from './picture-end.ts'

/** Walking through a large file keeps a processor busy: it has a thread of its own, which ends with it. */
try {
  parentPort?.postMessage({ structure: await inspectStructure(workerData.file, workerData.format) })
} catch (error) {
  if (!(error instanceof TooManyParts)) throw error
  parentPort?.postMessage({ tooManyParts: true })
}
