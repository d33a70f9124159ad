import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import decode from 'heic-decode'

/** Decoding takes seconds without a pause, so it has its own thread, which ends with it. */
const { width, height, data } = await decode({ buffer: readFileSync(workerData.file) })
parentPort?.postMessage({ width, height, data }, [data.buffer])
