import type { FileHandle } from 'node:fs/promises'

const windowBytes = 64 * 1024

/** Reads a file from its start to its end in few reads, and yields to other work between them. */
export class FileWindows {
  readonly #file: FileHandle
  readonly #signal: AbortSignal | undefined
  readonly #buffer = Buffer.allocUnsafe(windowBytes)
  #start = 0
  #filled = 0

  constructor(file: FileHandle, signal?: AbortSignal) {
    this.#file = file
    this.#signal = signal
  }

  /**
   * The bytes from a position on: at least the given number, unless the file ends first, and at most a window. Valid until the next call.
   * @throws the signal's reason.
   */
  async at(position: number, leastBytes: number): Promise<Buffer> {
    const end = this.#start + this.#filled
    if (position < this.#start || position + leastBytes > end) {
      this.#signal?.throwIfAborted()
      this.#start = position
      this.#filled = 0
      while (this.#filled < leastBytes) {
        const { bytesRead } = await this.#file.read(
          this.#buffer,
          this.#filled,
          windowBytes - this.#filled,
          position + this.#filled,
        )
        if (bytesRead === 0) break
        this.#filled += bytesRead
      }
    }
    return this.#buffer.subarray(position - this.#start, this.#filled)
  }
}
