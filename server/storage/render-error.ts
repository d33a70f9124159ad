import type { FastifyRequest } from 'fastify'
import type { GatewayError } from '../http/errors.ts'

/** storage-api's `error` word where it is not the code itself. */
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

/** Codes that all APIs share, in storage-api's words. */
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
 * The family's shape (API-STO-20). The status that is meant stands in `statusCode`; the HTTP status is 400 for every refusal, as
 * storage-api has it and its client expects, save for those that HTTP itself acts on.
 */
export function renderError(error: GatewayError, { url }: Pick<FastifyRequest, 'url'>) {
  const code = codes[error.code] ?? error.code
  return {
    status: keepsStatus(error.status) || speaksHttp(url) ? error.status : 400,
    body: { statusCode: String(error.status), error: words[code] ?? code, message: error.message, code },
  }
}

/** TUS gives the status a meaning of its own: 409 and 423 are tried again, others are not. */
function speaksHttp(url: string): boolean {
  return url.startsWith('/storage/v1/upload/resumable')
}

/** 401 tells who the caller is not (DESIGN §2), 416 steers players, 429 and 5xx tell proxies and clients to try again. */
function keepsStatus(status: number): boolean {
  return status === 401 || status === 416 || status === 429 || status >= 500
}
