import { setTimeout as sleep } from 'node:timers/promises'

/** Work that no response waits for. A shutdown does: the visitor already read that the email is on its way. */
export class BackgroundWork {
  readonly #open = new Set<Promise<void>>()

  /** @param work handles its own errors: no one else sees them. */
  add(work: Promise<void>): void {
    const open = work.finally(() => this.#open.delete(open))
    this.#open.add(open)
  }

  /** Resolves once all work is done, including work added in the meantime. */
  async settled(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open)
  }

  /** Like `settled`, but gives up after `graceMs`: a mail server that doesn't respond must not hold up the shutdown. */
  async drain(graceMs: number): Promise<void> {
    const stop = new AbortController()
    const late = sleep(graceMs, undefined, { signal: stop.signal }).catch(() => undefined)
    await Promise.race([this.settled(), late])
    stop.abort()
  }
}
