import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseRange } from './byte-range.ts'
import { isNotModified, mayResume } from './conditional.ts'
import { storageErrors } from './errors.ts'
import { safeToServe } from './mime.ts'
import type { ObjectRow } from './object-queries.ts'
import type { ObjectStore } from './object-store.ts'
import { readSmall, smallBytes } from './small-content.ts'

export type Delivery = {
  /** Value of `Cache-Control`. */
  readonly cacheControl: string
  /** `?download`: empty keeps the browser's own name for the file; undefined shows it. */
  readonly download?: string | undefined
  /** How long an address of the store's own may be good for, where it gives one; undefined: the bytes come from us. */
  readonly redirectSeconds?: number
}

/** Files lie on the product's own origin: opened by its address, one can show itself and do nothing else. */
export const contentPolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** Answers GET and HEAD with an object's bytes: whole, a range, or 304. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  store: ObjectStore,
  object: ObjectRow,
  delivery: Delivery,
) {
  const { metadata } = object
  if (!metadata) throw storageErrors.noSuchKey() // a row made by hand, with no content behind it
  if (object.mark) throw storageErrors.accessDenied('The original of this picture is not for you') // see signObject, readAsCaller
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
    })
    if (address) return reply.header('Cache-Control', 'no-store').redirect(address)
  }

  const range = mayResume(request.headers, validators) ? parseRange(request.headers.range, metadata.size) : undefined
  if (range) reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${metadata.size}`)
  reply.headers({
    'Content-Type': safeToServe(metadata.mimetype),
    'Content-Length': range ? range.end - range.start + 1 : metadata.size,
    ...(delivery.download !== undefined && { 'Content-Disposition': attachment(delivery.download) }),
  })
  if (request.method === 'HEAD') return reply.send()
  const isSmall = !range && metadata.size <= smallBytes
  return reply.send(await (isSmall ? readSmall(store, object.version) : store.read(object.version, range)))
}

export function attachment(name: string): string {
  if (name === '') return 'attachment;'
  const encoded = encodeURIComponent(name)
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded};`
}
