import { Worker } from 'node:worker_threads'

/** Cost 4 to 14: a higher one would let an imported hash occupy a core for seconds. */
const form = /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

/** Hashes of GoTrue and most older systems. They are accepted, and replaced by argon2id at the next sign-in. */
export function isBcryptHash(text: string): boolean {
  return form.test(text)
}

/** Runs in a separate thread, so that the event loop isn't blocked. */
export function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./bcrypt-worker.ts', import.meta.url), { workerData: { password, hash } })
    worker.once('message', (matches: boolean) => resolve(matches))
    worker.once('error', reject)
  })
}
