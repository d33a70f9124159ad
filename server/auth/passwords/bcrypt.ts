import { runInThread } from '../../threads.ts'

/** Cost 4 to 14: a higher one would let an imported hash occupy a core for seconds. */
const form = /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

/** Hashes of GoTrue and most older systems. They are accepted, and replaced by argon2id at the next sign-in. */
export function isBcryptHash(text: string): boolean {
  return form.test(text)
}

/** Runs in another thread, so that the event loop isn't blocked. */
export function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  return runInThread(new URL('./bcrypt-worker.ts', import.meta.url), { password, hash })
}
