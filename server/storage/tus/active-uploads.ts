type Running = { readonly stop: () => void; readonly ended: Promise<void> }

/**
 * Tracks which request writes to which upload in this process. The newest request takes over: a client reconnects because its connection
 * broke, which the old request may not have noticed yet (TUS 1.0 doesn't define this; its servers all do it). Two processes can't
 * disturb each other: the store never writes behind another process's part, and the second to record a part is rejected.
 */
export class ActiveUploads {
  readonly #running = new Map<string, Running>()

  /** Runs `work` once no other request writes to the upload. @param stop ends it early, when another request takes over. */
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
