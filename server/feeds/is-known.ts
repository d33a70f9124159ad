import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from '../storage/conditional.ts'

type Known = { readonly tag: string; readonly lastModified?: Date }

/** For content without a date: none of the reader's is recent enough. */
const endOfTime = new Date(8.64e15)

/**
 * Sends the `ETag`, which is weak: it identifies the document in every encoding.
 * @returns whether the reader already has the document, so that 304 is enough.
 */
export function isKnown(request: FastifyRequest, reply: FastifyReply, { tag, lastModified }: Known): boolean {
  reply.header('ETag', `W/${tag}`)
  if (lastModified) reply.header('Last-Modified', lastModified.toUTCString())
  return isNotModified(request.headers, { etag: tag, lastModified: lastModified ?? endOfTime })
}
