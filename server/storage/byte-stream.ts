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

/** @throws EntityTooLarge (413) at the first byte too many. */
export async function* limitSize(source: Bytes, maxBytes: number): Bytes {
  let seenBytes = 0
  for await (const chunk of source) {
    seenBytes += chunk.byteLength
    if (seenBytes > maxBytes) throw storageErrors.tooLarge()
    yield chunk
  }
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
