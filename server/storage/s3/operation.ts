import { text } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { chunksOf, limitSize, paced } from '../byte-stream.ts'
import type { StorageParts } from '../storage-parts.ts'
import { s3Errors } from './s3-errors.ts'
import type { S3Session } from './s3-session.ts'
import { readXml, writeXml, type XmlElement } from './xml.ts'

/** One request of the S3 protocol, with everything that an operation may need. */
export type S3Request = S3Session & {
  readonly parts: StorageParts
  /** The database as the caller sees it. */
  readonly db: CallerDb
  readonly bucket: string
  readonly key: string
  readonly query: URLSearchParams
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export type Operation = (request: S3Request) => Promise<unknown>

const longestXmlBytes = 2 * 1024 * 1024 // 10,000 parts, or 1,000 paths

export function sendXml({ reply }: Pick<S3Request, 'reply'>, root: string, content: XmlElement) {
  return reply.type('application/xml').send(writeXml(root, content))
}

/** @throws MalformedXML, EntityTooLarge (400). */
export async function receiveXml(
  { body, sizeBytes, parts }: Pick<S3Request, 'body' | 'sizeBytes'> & { readonly parts: Pick<StorageParts, 'pace'> },
  root: string,
): Promise<Record<string, unknown>> {
  if ((sizeBytes ?? 0) > longestXmlBytes) throw s3Errors.malformedXml()
  // The body may not declare its length, or may declare a wrong one.
  return readXml(await text(limitSize(paced(chunksOf(body), parts.pace), longestXmlBytes)), root)
}

export function header({ request }: Pick<S3Request, 'request'>, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A whole number in the query. @throws InvalidArgument (400). */
export function integer({ query }: S3Request, name: string, fallback: number, most: number): number {
  const given = query.get(name)
  if (given === null || given === '') return fallback
  if (!/^\d{1,9}$/.test(given)) throw s3Errors.invalidArgument(`${name} must be a whole number`)
  return Math.min(Number(given), most)
}

/** `x-amz-meta-…`, without the prefix; null when there is none. */
export function userMetadata({ request }: S3Request): Record<string, string> | null {
  const entries = Object.entries(request.headers).flatMap(([name, value]) =>
    name.startsWith('x-amz-meta-') && typeof value === 'string'
      ? [[name.slice('x-amz-meta-'.length), value] as const]
      : [],
  )
  return entries.length > 0 ? Object.fromEntries(entries) : null
}

/** A timestamp as S3 writes it: to the millisecond, in UTC. */
export const moment = (time: Date | string | null | undefined): string => new Date(time ?? 0).toISOString()
