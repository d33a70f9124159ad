type Running = { readonly stop: () => void; readonly ended: Promise<void> }

/**
 * Who is writing to which upload in this process. Whoever comes later takes over: a client comes back because its connection broke,
 * which the old request may not have noticed yet (TUS 1.0 has no word for it; this is what its servers do). Two processes can't
 * disturb each other: the store never writes behind another process's part, and the second to record a part is refused.
 */
export class ActiveUploads {
  readonly #running = new Map<string, Running>()

  /** Runs `work` once nobody else writes to the upload. @param stop ends it early, when somebody else takes over. */
  async alone<Result>(id: string, stop: () => void, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const mine: Running = { stop, ended: promise }
    const before = this.#running.get(id)
    this.#running.set(id, mine)
    before?.stop()
    await before?.ended
    try {
      return await work()
    } finally {
      if (this.#running.get(id) === mine) this.#running.delete(id)
      resolve()
    }
  }
}
