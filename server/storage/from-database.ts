import type { DatabaseError } from 'pg'
import type { GatewayError } from '../http/errors.ts'
import { storageErrors } from './errors.ts'

/** Constraints whose own message reaches the client. */
const constraintsWithMessages: ReadonlySet<string> = new Set([
  'objects_filed_are_final',
  'upload_links_owner_may_upload',
  'upload_links_session_stands',
])

/** Translates PostgreSQL's errors for clients of storage/v1. */
export function fromDatabase(error: DatabaseError): GatewayError | undefined {
  switch (error.code) {
    case '42501': // a policy or a missing grant
      return storageErrors.accessDenied(
        constraintsWithMessages.has(error.constraint ?? '')
          ? error.message
          : 'new row violates row-level security policy',
      )
    case '23505':
      if (error.table === 'upload_parts') return storageErrors.wrongOffset() // another request was faster
      if (error.table === 'used_upload_links') return storageErrors.usedLink()
      return error.table === 'buckets' ? storageErrors.bucketExists() : storageErrors.keyExists()
    case '23503':
      if (error.table === 'upload_parts') return storageErrors.noSuchUpload() // aborted in the meantime
      // an object needs its bucket; a bucket can't go while it has objects
      return error.table === 'objects' && /is still referenced/.test(error.detail ?? '')
        ? storageErrors.bucketNotEmpty()
        : storageErrors.noSuchBucket()
    case '23514':
      return storageErrors.invalidRequest('A value is outside what this path accepts')
    case '57014':
      return storageErrors.timeout()
  }
  // Class 22: a value that PostgreSQL can't read, e.g. a text with a zero byte.
  return error.code?.startsWith('22') ? storageErrors.invalidRequest('A value is malformed') : undefined
}
