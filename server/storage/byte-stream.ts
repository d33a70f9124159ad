import type { Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { storageErrors } from './errors.ts'

type Bytes = AsyncIterable<Uint8Array>

/** The stream's chunks. A consumer that stops early leaves the stream open, so that the sender still gets an answer. */
export function chunksOf(stream: Readable): Bytes {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) }
}

/** The first bytes, and the whole stream from its start. */
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

/** Passes the bytes through, and a hash over them, if there is one. */
export async function* hashed(source: Bytes, hash: Hash | undefined): Bytes {
  for await (const chunk of source) {
    hash?.update(chunk)
    yield chunk
  }
}

/** @throws EntityTooLarge (413), or the error that `excess` makes, at the first byte above the limit. */
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
  /** Averaged over the time spent waiting for the sender; 0: no minimum. */
  readonly uploadMinBytesPerSecond: number
}

/** Enforces the sender's pace. The time that the server itself takes doesn't count. @throws RequestTimeout (408). */
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
    // Releases the stream, so that the rest can be drained. Not awaited: with a silent sender it would never end.
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
 * Lets a sender finish after its file was rejected: most clients read the answer only then. A sender that takes too long is cut off.
 */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  const cutOff = setTimeout(() => request.destroy(), drainMs).unref()
  request.once('close', () => clearTimeout(cutOff))
  request.on('error', () => undefined) // nothing is lost when a sender hangs up
  request.unpipe() // from the form's parser, which waits for a reader
  request.resume()
}
