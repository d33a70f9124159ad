/** Controls a running upload: pause, resume, cancel. */
export class UploadControl {
  readonly #end = new AbortController()
  #paused = false
  readonly #listeners = new Set<() => void>()

  /** Aborted when the upload is canceled. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  get paused(): boolean {
    return this.#paused
  }

  setPaused(paused: boolean): void {
    this.#paused = paused
    for (const listener of [...this.#listeners]) listener()
  }

  cancel(): void {
    this.#end.abort()
    this.setPaused(false) // releases the pause
  }

  /** @returns a function that removes the listener. */
  onPause(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves at once, or when the pause ends. */
  async resumed(): Promise<void> {
    while (this.#paused) {
      await new Promise<void>((resume) => {
        const off = this.onPause(() => {
          off()
          resume()
        })
      })
    }
  }
}
