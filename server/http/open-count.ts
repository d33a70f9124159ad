/** Counts open items by key. A key without any takes no memory. */
export class OpenCount {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** @returns false if too many are open; then this one isn't counted. */
  enter(key: string): boolean {
    const open = this.#open.get(key) ?? 0
    if (open >= this.#most) return false
    this.#open.set(key, open + 1)
    return true
  }

  leave(key: string): void {
    const left = (this.#open.get(key) ?? 1) - 1
    if (left > 0) this.#open.set(key, left)
    else this.#open.delete(key)
  }
}
