import type { FastifyRequest } from 'fastify'
import type { GatewayError } from '../http/errors.ts'

/** storage-api's `error` value where it differs from the code. */
const words: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Bucket not found',
  NoSuchKey: 'not_found',
  AccessDenied: 'Unauthorized',
  BucketAlreadyExists: 'Duplicate',
  KeyAlreadyExists: 'Duplicate',
  InvalidMimeType: 'invalid_mime_type',
  InvalidRange: 'invalid_range',
  EntityTooLarge: 'Payload too large',
  InvalidBucketName: 'Invalid Input',
}

/** Codes that all APIs share, with storage-api's values. */
const codes: Readonly<Record<string, string>> = {
  invalid_api_key: 'InvalidJWT',
  bad_jwt: 'InvalidJWT',
  jwt_expired: 'InvalidJWT',
  session_ended: 'InvalidJWT',
  not_found: 'NotFound',
  body_too_large: 'EntityTooLarge',
  unsupported_media_type: 'InvalidMimeType',
  validation_failed: 'InvalidRequest',
  bad_json: 'InvalidRequest',
  overloaded: 'SlowDown',
  database_unavailable: 'DatabaseError',
  internal: 'InternalError',
}

/**
 * The API's error shape (API-STO-20). The real status is in `statusCode`; the HTTP status is 400 for every rejection, as
 * storage-api does it and its client expects, except for those that HTTP itself acts on.
 */
export function renderError(error: GatewayError, { url }: Pick<FastifyRequest, 'url'>) {
  const code = codes[error.code] ?? error.code
  return {
    status: keepsStatus(error.status) || speaksHttp(url) ? error.status : 400,
    // A file that couldn't be read has set how long it may be kept.
    headers: { 'Cache-Control': 'no-store' },
    body: { statusCode: String(error.status), error: words[code] ?? code, message: error.message, code },
  }
}

/** TUS gives these statuses a meaning: its clients retry 409 and 423, and no others. */
function speaksHttp(url: string): boolean {
  return url.startsWith('/storage/v1/upload/resumable')
}

/** 401 says that the caller isn't authenticated, 416 steers players, and 429 and 5xx tell proxies and clients to retry. */
function keepsStatus(status: number): boolean {
  return status === 401 || status === 416 || status === 429 || status >= 500
}
