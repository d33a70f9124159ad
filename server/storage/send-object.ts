import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified, mayResume } from '../http/conditional.ts'
import { parseRange } from './byte-range.ts'
import { storageErrors } from './errors.ts'
import { safeToServe } from './mime.ts'
import type { ContentRow } from './object-queries.ts'
import type { ObjectStore, OpenContent } from './object-store.ts'
import { readSmall, smallBytes } from './small-content.ts'

export type Delivery = {
  /** Value of `Cache-Control`. */
  readonly cacheControl: string
  /** `?download`: empty keeps the browser's own name for the file; undefined shows it inline. */
  readonly download?: string | undefined
  /** How long an address of the store may be valid, where the store gives one; undefined: this server sends the bytes. */
  readonly redirectSeconds?: number
}

/** Files are on the product's own origin. A file that is opened by its address can only show itself. */
export const contentPolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** Answers GET and HEAD with an object's bytes: whole, a range, or 304. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  store: ObjectStore,
  object: ContentRow,
  delivery: Delivery,
) {
  const { metadata } = object
  if (!metadata) throw storageErrors.noSuchKey() // a row that was inserted by hand, without content
  if (object.mark) throw storageErrors.accessDenied("You can't access the original of this image") // see signObject, readAsCaller
  const validators = { etag: metadata.eTag, lastModified: new Date(metadata.lastModified ?? object.updated_at) }
  reply.headers({
    'Accept-Ranges': 'bytes',
    'Cache-Control': delivery.cacheControl,
    'Content-Security-Policy': contentPolicy,
    ETag: validators.etag,
    'Last-Modified': validators.lastModified.toUTCString(),
    'X-Content-Type-Options': 'nosniff',
  })
  if (isNotModified(request.headers, validators)) return reply.status(304).send()

  if (request.method === 'GET' && delivery.redirectSeconds) {
    const address = await store.linkTo(object.version, delivery.redirectSeconds, {
      contentType: safeToServe(metadata.mimetype),
      cacheControl: delivery.cacheControl,
      contentDisposition: delivery.download === undefined ? undefined : attachment(delivery.download),
      contentEncoding: metadata.contentEncoding,
    })
    if (address) return reply.header('Cache-Control', 'no-store').redirect(address)
  }

  const range = mayResume(request.headers, validators) ? parseRange(request.headers.range, metadata.size) : undefined
  if (range) reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${metadata.size}`)
  reply.headers({
    'Content-Type': safeToServe(metadata.mimetype),
    'Content-Length': range ? range.end - range.start + 1 : metadata.size,
    ...(delivery.download !== undefined && { 'Content-Disposition': attachment(delivery.download) }),
    ...(metadata.contentEncoding && { 'Content-Encoding': metadata.contentEncoding }),
  })
  if (request.method === 'HEAD') return reply.send()
  if (!range && metadata.size <= smallBytes) return reply.send(await readSmall(store, object.version))
  return sendContent(request, reply, await store.open(object.version, range ?? { start: 0, end: metadata.size - 1 }))
}

/** Bypasses Fastify, which allocates memory for each piece of a stream. Headers from its hooks are sent, and its metrics still count. */
export async function sendContent(request: FastifyRequest, reply: FastifyReply, content: OpenContent) {
  const { raw } = reply.hijack()
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  try {
    await content.sendTo(raw)
  } catch (error) {
    // Too late for another answer: a body that ends early tells the client, and a client that went away needs none.
    if (!raw.destroyed) request.log.error({ err: error }, 'a download broke off')
    raw.destroy()
  }
}

export function attachment(name: string): string {
  if (name === '') return 'attachment;'
  const encoded = encodeURIComponent(name)
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded};`
}
