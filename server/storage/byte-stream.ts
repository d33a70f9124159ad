import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { storageErrors } from './errors.ts'

type Bytes = AsyncIterable<Uint8Array>

/** The stream's chunks. Whoever stops early leaves the stream open, so that the sender can still be answered. */
export function chunksOf(stream: Readable): Bytes {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) }
}

/** The first bytes, and the whole from its start. */
export async function peek(source: Bytes, sizeBytes: number): Promise<{ head: Buffer; content: Bytes }> {
  const iterator = source[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let seenBytes = 0
  while (seenBytes < sizeBytes) {
    const { done, value } = await iterator.next()
    if (done) break
    chunks.push(value)
    seenBytes += value.byteLength
  }
  async function* whole() {
    yield* chunks
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { head: Buffer.concat(chunks), content: whole() }
}

/** @throws EntityTooLarge (413), or what `excess` makes, at the first byte too many. */
export async function* limitSize(source: Bytes, maxBytes: number, excess = storageErrors.tooLarge): Bytes {
  let seenBytes = 0
  for await (const chunk of source) {
    seenBytes += chunk.byteLength
    if (seenBytes > maxBytes) throw excess()
    yield chunk
  }
}

export type Pace = {
  readonly uploadIdleMs: number
  /** Of the time that was waited for the sender; 0: any. */
  readonly uploadMinBytesPerSecond: number
}

/** What a sender sends, while it does: the time that we take ourselves doesn't count. @throws RequestTimeout (408). */
export async function* paced(source: Bytes, { uploadIdleMs, uploadMinBytesPerSecond }: Pace): Bytes {
  const iterator = source[Symbol.asyncIterator]()
  let waitedMs = 0
  let seenBytes = 0
  try {
    for (;;) {
      const startedAt = performance.now()
      const { done, value } = await within(iterator.next(), uploadIdleMs)
      if (done) return
      waitedMs += performance.now() - startedAt
      seenBytes += value.byteLength
      const isSlow = seenBytes < (uploadMinBytesPerSecond * waitedMs) / 1000
      if (waitedMs > uploadIdleMs && isSlow) throw storageErrors.tooSlow()
      yield value
    }
  } finally {
    // Lets go of the stream, so that what still comes can be drained. Not waited for: one that sends nothing would never end.
    iterator.return?.().catch(() => undefined)
  }
}

function within<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(storageErrors.tooSlow()), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

const drainMs = 10_000

/**
 * Lets a sender finish whose file was refused: most clients read the answer only then. One that sends on and on is cut off.
 */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  const cutOff = setTimeout(() => request.destroy(), drainMs).unref()
  request.once('close', () => clearTimeout(cutOff))
  request.on('error', () => undefined) // a sender that hangs up has lost nothing
  request.unpipe() // from the form's parser, which waits for a reader
  request.resume()
}
