import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from '../http/conditional.ts'

type Known = { readonly tag: string; readonly lastModified?: Date }

/**
 * Sends the `ETag`, which is weak: it identifies the document in every encoding.
 * @returns whether the reader already has the document, so that 304 is enough.
 */
export function isKnown(request: FastifyRequest, reply: FastifyReply, { tag, lastModified }: Known): boolean {
  reply.header('ETag', `W/${tag}`)
  if (lastModified) reply.header('Last-Modified', lastModified.toUTCString())
  return isNotModified(request.headers, { etag: tag, lastModified })
}
