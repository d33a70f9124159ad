import type { FastifyReply } from 'fastify'
import { addVary, type Compressor } from './compress.ts'
import { etagOf, isNotModified } from './conditional.ts'
import type { ScreenDocument } from './visitor-pages/screen-document.ts'

const htmlType = 'text/html; charset=utf-8'

export const sendHtml = (reply: FastifyReply, html: string) => sendRevalidated(reply, htmlType, html)

/** A client that already has this document gets 304. */
export function sendRevalidated(reply: FastifyReply, type: string, document: string) {
  return isCurrent(reply, etagOf(document)) ? reply.status(304).send() : reply.type(type).send(document)
}

/** The same, for a document that is sent to many. */
export async function sendDocument(reply: FastifyReply, document: ScreenDocument, compressor: Compressor) {
  if (isCurrent(reply, document.etag)) return reply.status(304).send()
  reply.type(htmlType)
  const encoded = await document.encode(reply.request.headers['accept-encoding'], compressor)
  if (!encoded) return reply.send(document.html)
  reply.headers({ Vary: addVary(reply.getHeader('Vary')), 'Content-Encoding': encoded.encoding })
  return reply.send(encoded.body)
}

/** Sets the headers of a document that clients revalidate. The tag is weak: it identifies the document in every encoding. */
function isCurrent(reply: FastifyReply, etag: string): boolean {
  reply.header('Cache-Control', 'no-cache')
  if (reply.statusCode !== 200) return false
  reply.header('ETag', `W/${etag}`)
  if (!isNotModified(reply.request.headers, { etag })) return false
  reply.header('Vary', addVary(reply.getHeader('Vary')))
  return true
}
