/** Reads a body in pieces of limited size. A body that is cut off ends without an error: its bytes are kept, and the upload can resume. */
export class PieceReader {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Uint8Array | undefined
  #ended = false
  /** Why the body ended early; undefined when it did not. */
  cutOff: unknown

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#source = body[Symbol.asyncIterator]()
  }

  /** Whether the body has ended. Waits for the next bytes. */
  async isEmpty(): Promise<boolean> {
    this.#rest ??= await this.#next()
    return this.#rest === undefined
  }

  /** The next bytes, `sizeBytes` of them unless the body ends. */
  async *piece(sizeBytes: number): AsyncGenerator<Uint8Array> {
    let left = sizeBytes
    while (left > 0) {
      const chunk = this.#rest ?? (await this.#next())
      this.#rest = undefined
      if (!chunk) return
      if (chunk.byteLength > left) this.#rest = chunk.subarray(left)
      yield chunk.subarray(0, left)
      left -= Math.min(left, chunk.byteLength)
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined
    try {
      const { done, value } = await this.#source.next()
      if (!done) return value.byteLength === 0 ? await this.#next() : value
    } catch (error) {
      this.cutOff = error
    }
    this.#ended = true
    return undefined
  }
}
