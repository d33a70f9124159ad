import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyBaseLogger } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

export type Encoding = 'br' | 'gzip'

/**
 * Compresses dynamic responses; the build compresses static files.
 *
 * The length of a compressed response says something about its content. A BREACH attack needs three things: a secret in the response, the
 * attacker's text next to it, and a victim's browser that sends the request as the victim. The third is missing here: every API
 * identifies its caller by a header that another site can't make a browser send, never by a cookie. auth/v1 returns tokens, so it is
 * excluded anyway. The page and the app's settings are the same for everyone.
 */
export class Compressor {
  /** The minimum size in bytes; 0 turns compression off. */
  readonly #minBytes: number
  readonly #log: FastifyBaseLogger
  #running = 0

  constructor(minBytes: number, log: FastifyBaseLogger) {
    this.#minBytes = minBytes
    this.#log = log
  }

  /** Whether the response depends on `Accept-Encoding`, which `Vary` then has to say. */
  isFor(bytes: number, contentType: string, contentEncoding: unknown, minBytes = this.#minBytes): boolean {
    return this.#minBytes > 0 && bytes >= minBytes && contentEncoding === undefined && isText.test(contentType)
  }

  /** @returns undefined if the response is to be sent as it is. */
  async compress(
    body: string | Buffer,
    accepted: string | string[] | undefined,
  ): Promise<{ readonly body: Buffer; readonly encoding: Encoding } | undefined> {
    const encoding = pickEncoding(String(accepted ?? ''))
    // Node's threads also read files and process pictures, so a response doesn't wait in a long queue for them.
    if (!encoding || this.#running >= mostAtOnce) return undefined
    this.#running += 1
    try {
      return { body: await compressors[encoding](body), encoding }
    } catch (error) {
      this.#log.warn({ err: error }, 'a response could not be compressed')
      return undefined
    } finally {
      this.#running -= 1
    }
  }
}

const mostAtOnce = 4
const isText = /^text\/|^application\/(?:[\w.+-]*(?:json|xml|text)|javascript)(?:;|$|\s)/

// Low levels: they save most of the bytes, and a request waits for them.
const compressors = {
  br: (body: string | Buffer): Promise<Buffer> =>
    brotli(body, {
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: 3,
        [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
        [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body: string | Buffer): Promise<Buffer> => gzipped(body, { level: 3 }),
}
const brotli = promisify(brotliCompress)
const gzipped = promisify<string | Buffer, Parameters<typeof gzip>[1] & object, Buffer>(gzip)

/** Brotli, unless the client prefers another encoding (RFC 9110, 12.5.3). */
export function pickEncoding(accepted: string): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [br, gzip] = [weightOf('br'), weightOf('gzip')]
  if (Math.max(br, gzip) <= 0) return undefined
  return br >= gzip ? 'br' : 'gzip'
}

type CompressedAnswers = { readonly compressor: Compressor; readonly minBytes?: number }

/** Compresses the responses of a Fastify scope, except streams. */
export const compressedAnswers = fastifyPlugin(async (app, { compressor, minBytes }: CompressedAnswers) => {
  app.addHook<string | Buffer>('onSend', (request, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0
    const type = String(reply.getHeader('content-type') ?? '')
    if (!compressor.isFor(bytes, type, reply.getHeader('content-encoding'), minBytes)) return done(null, payload)
    reply.header('vary', addVary(reply.getHeader('vary')))
    compressor.compress(payload, request.headers['accept-encoding']).then((compressed) => {
      if (!compressed) return done(null, payload)
      reply.header('content-encoding', compressed.encoding).removeHeader('content-length')
      done(null, compressed.body)
    }, done)
  })
})

/** The `Vary` of a response that depends on `Accept-Encoding` too. */
export function addVary(vary: unknown): string {
  return vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`
}
