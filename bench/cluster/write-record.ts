/** What was acknowledged, and what may have happened although no answer came. */
export class WriteRecord {
  /** Each thing that was written, with its only possible state; undefined: there was no answer, so it may also be missing. */
  readonly #written = new Map<string, { readonly state: string; readonly isAcknowledged: boolean }>()
  readonly #unseen: string[] = []
  #answers = 0
  readonly #failures: { readonly at: number; readonly what: string; readonly why: string }[] = []

  /**
   * @param thing written once only, so its name is its own.
   * @param send resolves if the answer acknowledges it, and throws the reason otherwise.
   * @returns whether it was acknowledged.
   */
  async write(thing: string, state: string, send: () => PromiseLike<unknown>): Promise<boolean> {
    this.#written.set(thing, { state, isAcknowledged: false })
    await this.read(thing.split(' ')[0] ?? thing, async () => {
      await send()
      this.#written.set(thing, { state, isAcknowledged: true })
    })
    return this.#written.get(thing)?.isAcknowledged === true
  }

  /** Its writer didn't find it after it was acknowledged. */
  noteUnseen(thing: string) {
    this.#unseen.push(thing)
  }

  async read(what: string, send: () => PromiseLike<unknown>): Promise<void> {
    try {
      await send()
      this.#answers += 1
    } catch (error) {
      this.#failures.push({ at: performance.now(), what, why: error instanceof Error ? error.message : String(error) })
    }
  }

  get counts() {
    const acknowledged = [...this.#written.values()].filter(({ isAcknowledged }) => isAcknowledged).length
    return { answers: this.#answers, acknowledged, failures: this.#failures.length }
  }

  /** Failures from that moment on, as `performance.now()`, with how often each came. */
  failuresSince(moment: number): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { at, what, why } of this.#failures) {
      if (at < moment) continue
      const line = `${what}: ${why.slice(0, 120)}`
      counts.set(line, (counts.get(line) ?? 0) + 1)
    }
    return counts
  }

  /** @param found how often each existing thing exists, by name and state. @returns a line for each that is lost, doubled, or different. */
  findBroken(found: ReadonlyMap<string, { readonly state: string; readonly count: number }>): string[] {
    const broken = this.#unseen.map((thing) => `${thing} wasn't seen by its writer at once`)
    for (const [thing, { state, isAcknowledged }] of this.#written) {
      const there = found.get(thing)
      if (!there && isAcknowledged) broken.push(`${thing} was acknowledged and is lost`)
      if (there && there.count !== 1) broken.push(`${thing} is there ${there.count} times`)
      if (there && there.state !== state) broken.push(`${thing} is ${there.state}, not ${state}`)
    }
    return broken
  }
}
