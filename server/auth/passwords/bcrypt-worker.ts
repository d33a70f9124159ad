import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

// bcryptjs computes on the thread that calls it: here, that is nobody's.
const { password, hash } = workerData as { readonly password: string; readonly hash: string }
parentPort?.postMessage(compareSync(password, hash))
