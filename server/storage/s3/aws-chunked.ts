import { createHash } from 'node:crypto'
import { timingSafeEqualText } from '../../timing-safe-equal.ts'
import { s3Errors } from './s3-errors.ts'
import { hmac, sha256 } from './sigv4.ts'

/** Signing parameters for bodies that are signed chunk by chunk: each signature covers the one before. */
export type ChunkSigning = {
  readonly key: Buffer
  readonly date: string
  readonly scope: string
  readonly seed: string
}

const longestLine = 16 * 1024
/** All trailing headers together: they are held until their signature has arrived. */
const longestTrailers = 16 * 1024

/**
 * The content of an `aws-chunked` body: `<size in hex>[;chunk-signature=…]`, the bytes, and after the last chunk of no size trailing
 * headers (docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html). Bytes are passed on as they arrive; a chunk that doesn't
 * match its signature ends the stream with an error, so that nothing of it is stored.
 * @param signing undefined: chunks are not signed.
 * @param onTrailer called with each trailing header once it is verified.
 */
export async function* decodeChunks(
  body: AsyncIterable<Uint8Array>,
  signing: ChunkSigning | undefined,
  onTrailer: (name: string, value: string) => void,
): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(body)
  let previous = signing?.seed ?? ''
  for (;;) {
    const line = await reader.line()
    const fields = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line)
    if (!fields) throw s3Errors.malformedChunk()
    let left = Number.parseInt(fields[1] ?? '', 16)
    const isLast = left === 0
    const hash = createHash('sha256')
    while (left > 0) {
      const bytes = await reader.some(left)
      left -= bytes.byteLength
      if (signing) hash.update(bytes)
      yield bytes
    }
    if (signing) {
      previous = requireSignature(signing, fields[2], [
        'AWS4-HMAC-SHA256-PAYLOAD',
        signing.date,
        signing.scope,
        previous,
        sha256(''),
        hash.digest('hex'),
      ])
    }
    if (isLast) break
    if ((await reader.line()) !== '') throw s3Errors.malformedChunk()
  }
  await readTrailers(reader, signing, previous, onTrailer)
}

async function readTrailers(
  reader: ByteReader,
  signing: ChunkSigning | undefined,
  previous: string,
  onTrailer: (name: string, value: string) => void,
) {
  const trailers: [string, string][] = []
  let signature: string | undefined
  let left = longestTrailers
  for (;;) {
    const line = await reader.line({ mayEnd: true })
    if (line === undefined) break
    left -= line.length + 1
    if (left < 0) throw s3Errors.malformedChunk()
    if (line === '') continue
    const cut = line.indexOf(':')
    if (cut < 0) throw s3Errors.malformedChunk()
    const [name, value] = [line.slice(0, cut).trim().toLowerCase(), line.slice(cut + 1).trim()]
    if (name === 'x-amz-trailer-signature') signature = value
    else trailers.push([name, value])
  }
  if (signing && trailers.length > 0) {
    const lines = trailers.map(([name, value]) => `${name}:${value}\n`).join('')
    requireSignature(signing, signature, [
      'AWS4-HMAC-SHA256-TRAILER',
      signing.date,
      signing.scope,
      previous,
      sha256(lines),
    ])
  }
  for (const [name, value] of trailers) onTrailer(name, value)
}

function requireSignature({ key }: ChunkSigning, given: string | undefined, lines: readonly string[]): string {
  const expected = hmac(key, lines.join('\n')).toString('hex')
  if (!given || !timingSafeEqualText(expected, given)) throw s3Errors.wrongSignature()
  return expected
}

/** Reads lines and bytes of a stream, in turn. @throws IncompleteBody (400) where it ends too early. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #buffer: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async some(mostBytes: number): Promise<Buffer> {
    if (this.#buffer.length === 0 && !(await this.#more())) throw s3Errors.malformedChunk()
    const bytes = this.#buffer.subarray(0, mostBytes)
    this.#buffer = this.#buffer.subarray(bytes.length)
    return bytes
  }

  /** @returns the line without its line break; undefined at the end, where that is allowed. */
  async line(options: { mayEnd: true }): Promise<string | undefined>
  async line(): Promise<string>
  async line(options?: { mayEnd: true }): Promise<string | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf('\n')
      if (end >= 0) {
        const line = this.#buffer.toString('latin1', 0, end).replace(/\r$/, '')
        this.#buffer = this.#buffer.subarray(end + 1)
        return line
      }
      if (this.#buffer.length > longestLine) throw s3Errors.malformedChunk()
      if (await this.#more()) continue
      if (options?.mayEnd && this.#buffer.length === 0) return undefined
      throw s3Errors.malformedChunk()
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    if (done) return false
    this.#buffer =
      this.#buffer.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        : Buffer.concat([this.#buffer, value])
    return true
  }
}
