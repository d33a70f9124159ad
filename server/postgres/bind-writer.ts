const ownBytes = 16 * 1024
/** Of UTF-8, for each unit of a JavaScript string. */
const mostBytesPerUnit = 3

/**
 * Writes Bind messages (PostgreSQL documentation, "Message Formats"): the unnamed portal, all results as text. Our own, because it is
 * written twice for each request, and pg-protocol's looks at every text three times: for its length, for its room, and to write it.
 */
export class BindWriter {
  readonly #prepare: (value: unknown) => string | Buffer | null
  /** Written into again and again; one message that needs more gets memory for itself. */
  readonly #own = Buffer.allocUnsafeSlow(ownBytes)
  #bytes = this.#own
  #at = 0

  /** @param prepare what a value is sent as; it may throw, and then nothing has been written. */
  constructor(prepare: (value: unknown) => string | Buffer | null) {
    this.#prepare = prepare
  }

  write(statement: string, values: readonly unknown[]): Buffer {
    const prepared = values.map((value) => (typeof value === 'string' ? value : this.#prepare(value)))
    this.#reserve(statement, prepared)
    this.#at = 5 // behind the type of the message and its length
    this.#bytes[this.#at++] = 0 // the portal's name
    this.#at += this.#bytes.write(statement, this.#at)
    this.#bytes[this.#at++] = 0
    this.#addInt16(prepared.length)
    for (const value of prepared) this.#addInt16(Buffer.isBuffer(value) ? 1 : 0)
    this.#addInt16(prepared.length)
    for (const value of prepared) this.#addValue(value)
    this.#addInt16(0)
    this.#bytes[0] = 0x42 // B
    this.#bytes.writeInt32BE(this.#at - 1, 1)
    return Buffer.from(this.#bytes.subarray(0, this.#at))
  }

  #reserve(statement: string, values: readonly (string | Buffer | null)[]) {
    let most = 5 + 2 + 3 * 2 + mostBytesPerUnit * statement.length
    for (const value of values) {
      most += 2 + 4 + (typeof value === 'string' ? mostBytesPerUnit * value.length : (value?.length ?? 0))
    }
    this.#bytes = most <= ownBytes ? this.#own : Buffer.allocUnsafe(most)
  }

  #addValue(value: string | Buffer | null) {
    const lengthAt = this.#at
    this.#at += 4
    if (value === null) {
      this.#bytes.writeInt32BE(-1, lengthAt)
      return
    }
    const length = typeof value === 'string' ? this.#bytes.write(value, this.#at) : value.copy(this.#bytes, this.#at)
    this.#bytes.writeInt32BE(length, lengthAt)
    this.#at += length
  }

  #addInt16(number: number) {
    this.#bytes[this.#at++] = number >>> 8
    this.#bytes[this.#at++] = number & 0xff
  }
}
