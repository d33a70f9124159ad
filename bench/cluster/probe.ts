import { setTimeout as sleep } from 'node:timers/promises'

const everyMs = 100

/** Repeats one request all the time, and notes when it succeeded: the pauses between are how long nobody was served. */
export class Probe {
  readonly #ask: () => Promise<unknown>
  readonly #successes: number[] = []
  #isStopped = false
  #running: Promise<void> | undefined

  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask
  }

  start() {
    this.#running = this.#repeat()
  }

  async stop() {
    this.#isStopped = true
    await this.#running
  }

  /** The longest pause since that moment, as `performance.now()`, in seconds. */
  longestPauseSince(moment: number): number {
    const before = this.#successes.findLast((at) => at <= moment) ?? moment
    const times = [before, ...this.#successes.filter((at) => at > moment), performance.now()]
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at))) / 1000
  }

  async #repeat() {
    while (!this.#isStopped) {
      try {
        await this.#ask()
        this.#successes.push(performance.now())
      } catch {
        // The pause says it.
      }
      await sleep(everyMs)
    }
  }
}
