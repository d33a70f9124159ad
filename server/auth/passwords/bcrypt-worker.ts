import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

// bcryptjs blocks its thread; this worker is dedicated to it.
const { password, hash } = workerData as { readonly password: string; readonly hash: string }
parentPort?.postMessage(compareSync(password, hash))
