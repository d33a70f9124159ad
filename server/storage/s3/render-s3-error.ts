import type { FastifyRequest } from 'fastify'
import type { GatewayError } from '../../http/errors.ts'
import { writeXml } from './xml.ts'

/** S3's codes for errors that the other APIs name differently. */
const codes: Readonly<Record<string, string>> = {
  ResourceNotEmpty: 'BucketNotEmpty',
  KeyAlreadyExists: 'PreconditionFailed',
  InvalidMimeType: 'InvalidRequest',
  InsufficientStorage: 'ServiceUnavailable',
  StorageUnavailable: 'ServiceUnavailable',
  DatabaseTimeout: 'ServiceUnavailable',
  overloaded: 'SlowDown',
  database_unavailable: 'ServiceUnavailable',
  not_found: 'NoSuchKey',
  validation_failed: 'InvalidRequest',
  bad_json: 'InvalidRequest',
  body_too_large: 'EntityTooLarge',
  unsupported_media_type: 'InvalidRequest',
  internal: 'InternalError',
}
const statuses: Readonly<Record<string, number>> = { PreconditionFailed: 412, EntityTooLarge: 400 }

/** S3's error document and status codes. HEAD has no body, so it gets only the status. */
export function renderS3Error(error: GatewayError, request: FastifyRequest) {
  const code = codes[error.code] ?? error.code
  const details = {
    Code: code,
    Message: error.message,
    Resource: request.url.split('?')[0] ?? '',
    RequestId: request.id,
  }
  return {
    status: statuses[code] ?? error.status,
    headers: { 'Content-Type': 'application/xml', 'x-amz-request-id': request.id },
    body: request.method === 'HEAD' ? undefined : writeXml('Error', details).replace(/ xmlns="[^"]*"/, ''),
  }
}
