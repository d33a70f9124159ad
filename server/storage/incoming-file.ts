import type { Readable } from 'node:stream'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import { objectCacheSeconds } from '@ovation/contract/limits'
import type { FastifyRequest } from 'fastify'
import { isTooDeep } from '../http/json-depth.ts'
import { allowSlowBody } from '../http/request-guard.ts'
import { storageErrors } from './errors.ts'

/** A file in transit. Its bytes have not been read yet. */
export type IncomingFile = {
  readonly body: Readable
  readonly declaredType: string
  /** Header value, e.g. `max-age=3600`. */
  readonly cacheControl: string
  /** Content coding of the bytes (`gzip`, …); they are stored and sent unchanged. */
  readonly contentEncoding: string | undefined
  readonly userMetadata: Record<string, unknown> | null
  /** Known for a bare body only: a form is a little larger than its file. */
  readonly declaredSizeBytes: number | undefined
  /** Size of the whole body, where it is known. */
  readonly announcedBytes?: number | undefined
}

const formLimits = { files: 1, fields: 20, fieldSize: 64 * 1024, fileSize: Number.POSITIVE_INFINITY }
const defaultCacheControl = `max-age=${objectCacheSeconds}`

/**
 * Reads both forms in which storage-js sends a file: a bare body, or a form whose fields come first.
 * @throws InvalidRequest (400) when there is no file, or its fields are malformed.
 */
export async function readIncomingFile(request: FastifyRequest): Promise<IncomingFile> {
  return request.isMultipart() ? readForm(request) : readBareBody(request)
}

async function readForm(request: FastifyRequest): Promise<IncomingFile> {
  const part = await request.file({ limits: formLimits, throwFileSizeLimit: false })
  if (!part) throw storageErrors.noContent()
  allowSlowBody(request.raw)
  const cacheSeconds = field(part, 'cacheControl')
  return {
    body: part.file,
    declaredType: part.mimetype,
    cacheControl: cacheSeconds ? requireCacheControl(`max-age=${cacheSeconds}`) : defaultCacheControl,
    contentEncoding: parseContentEncoding(field(part, 'contentEncoding')),
    userMetadata: parseMetadata(field(part, 'metadata')),
    declaredSizeBytes: undefined,
    announcedBytes: lengthOf(request.headers['content-length']),
  }
}

function readBareBody({ raw, headers }: FastifyRequest): IncomingFile {
  const length = headers['content-length']
  return {
    body: raw,
    declaredType: headers['content-type'] ?? 'application/octet-stream',
    cacheControl: headers['cache-control'] ? requireCacheControl(headers['cache-control']) : defaultCacheControl,
    contentEncoding: parseContentEncoding(headers['content-encoding']),
    userMetadata: readMetadataHeader(headers['x-metadata']),
    declaredSizeBytes: lengthOf(length),
    announcedBytes: lengthOf(length),
  }
}

const lengthOf = (header: string | undefined) => (header === undefined ? undefined : Number(header))

function field({ fields }: MultipartFile, name: string): string | undefined {
  const found = fields[name]
  const value = (Array.isArray(found) ? found[0] : found) as MultipartValue | undefined
  return value?.type === 'field' && typeof value.value === 'string' ? value.value : undefined
}

/** It becomes a response header later, so it may hold only directives. */
export function requireCacheControl(value: string): string {
  if (!/^[\w=,; "-]{1,200}$/.test(value)) throw storageErrors.invalidRequest('Cache control is malformed')
  return value
}

/**
 * The content codings of HTTP (RFC 9110 §8.4.1), or none.
 * @throws InvalidRequest (400) for others: no browser could read the file.
 */
export function parseContentEncoding(value: string | undefined): string | undefined {
  const codings = (value ?? '').toLowerCase().split(/[\s,]+/)
  const packed = codings.filter((coding) => coding !== '' && coding !== 'identity')
  if (packed.length > 4 || !packed.every((coding) => /^(gzip|x-gzip|compress|deflate|br|zstd|dcb|dcz)$/.test(coding)))
    throw storageErrors.invalidRequest('Unknown content encoding')
  return packed.join(', ') || undefined
}

/** `x-metadata`: JSON in base64. @throws as `parseMetadata`. */
export function readMetadataHeader(encoded: string | string[] | undefined): Record<string, unknown> | null {
  return parseMetadata(typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : undefined)
}

/** @throws InvalidRequest (400) when it isn't a JSON object. */
export function parseMetadata(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined || text === '') return null
  try {
    const parsed: unknown = isTooDeep(text) ? undefined : JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // Answered below: invalid JSON and JSON that isn't an object are the same mistake.
  }
  throw storageErrors.invalidRequest('Metadata must be a JSON object')
}
