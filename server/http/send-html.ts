import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

export const sendHtml = (reply: FastifyReply, html: string) => sendRevalidated(reply, 'text/html; charset=utf-8', html)

/** A client that already has this document gets 304. The tag is weak: it identifies the document in every encoding. */
export function sendRevalidated(reply: FastifyReply, type: string, document: string) {
  const tag = `W/"${createHash('sha256').update(document).digest('base64url').slice(0, 27)}"`
  reply.header('Cache-Control', 'no-cache')
  if (reply.statusCode === 200) {
    reply.header('ETag', tag)
    if (isKnown(tag, reply.request.headers['if-none-match'])) {
      const varies = ['Accept-Encoding', reply.getHeader('Vary')].filter((name) => name !== undefined)
      return reply.header('Vary', varies.join(', ')).status(304).send()
    }
  }
  return reply.type(type).send(document)
}

/** Whether `If-None-Match` contains the tag, compared weakly (RFC 9110, 13.1.2). */
function isKnown(tag: string, known: string | undefined): boolean {
  const names = known?.split(',').map((name) => name.trim().replace(/^(?:W\/)?/, 'W/')) ?? []
  return names.includes(tag) || known?.trim() === '*'
}
