const ownBytes = 16 * 1024
/** Bytes of UTF-8 for each unit of a JavaScript string. */
const mostBytesPerUnit = 3

/**
 * Writes the messages of a request one after another into reused memory, so that they are sent in one piece.
 *
 * Bind (PostgreSQL documentation, "Message Formats"; the unnamed portal, all results as text) is implemented here, because it is
 * written twice for each request, and pg-protocol reads every text three times: for its length, for its space, and to write it.
 */
export class MessageWriter {
  readonly #prepare: (value: unknown) => string | Buffer | null
  readonly #own = Buffer.allocUnsafeSlow(ownBytes)
  #bytes = this.#own
  #at = 0

  /** @param prepare converts a value for sending; it may throw, and then nothing of its message has been written. */
  constructor(prepare: (value: unknown) => string | Buffer | null) {
    this.#prepare = prepare
  }

  /** A complete message. */
  add(message: Buffer) {
    this.#reserve(message.length)
    this.#at += message.copy(this.#bytes, this.#at)
  }

  addBind(statement: string, values: readonly unknown[]) {
    const prepared = values.map((value) => (typeof value === 'string' ? value : this.#prepare(value)))
    this.#reserve(mostBytes(statement, prepared))
    const start = this.#at
    this.#bytes[start] = 0x42 // B
    this.#at += 5 // the type of the message, and its length, which is known at the end
    this.#bytes[this.#at++] = 0 // the portal's name
    this.#at += this.#bytes.write(statement, this.#at)
    this.#bytes[this.#at++] = 0
    this.#addInt16(prepared.length)
    for (const value of prepared) this.#addInt16(Buffer.isBuffer(value) ? 1 : 0)
    this.#addInt16(prepared.length)
    for (const value of prepared) this.#addValue(value)
    this.#addInt16(0)
    this.#bytes.writeInt32BE(this.#at - start - 1, start + 1)
  }

  /** Everything added since the last call, in its own memory. */
  take(): Buffer {
    const written = this.#bytes.subarray(0, this.#at)
    const message = this.#bytes === this.#own ? Buffer.from(written) : written
    this.clear()
    return message
  }

  /** Discards what was added. */
  clear() {
    this.#bytes = this.#own
    this.#at = 0
  }

  /** Makes room for more bytes; larger messages get separate memory. */
  #reserve(most: number) {
    const needed = this.#at + most
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
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

function mostBytes(statement: string, values: readonly (string | Buffer | null)[]): number {
  let most = 5 + 2 + 3 * 2 + mostBytesPerUnit * statement.length
  for (const value of values) {
    most += 2 + 4 + (typeof value === 'string' ? mostBytesPerUnit * value.length : (value?.length ?? 0))
  }
  return most
}
