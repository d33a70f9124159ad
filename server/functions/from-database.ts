import type pg from 'pg'
import type { GatewayError } from '../http/errors.ts'
import { FunctionError, functionErrors } from './errors.ts'

/** Error codes that docs/errors.md lists; other details are data, such as the path of a file. */
const namedCode = /^[a-z]+(_[a-z]+)+$/

/**
 * Maps a database error to this API. SQL that speaks to users raises PTnnn: an HTTP status with a sentence for them, and a detail with
 * the error code if clients need one.
 */
export function fromDatabase({ code = '', message, detail = '' }: pg.DatabaseError): GatewayError | undefined {
  const status = Number(/^PT([45]\d\d)$/.exec(code)?.[1])
  if (status) return new FunctionError(status, namedCode.test(detail) ? detail : code, message)
  if (code === '42501') return functionErrors.forbidden()
  if (code === '57014') return new FunctionError(504, 'timeout', 'The database took too long to answer. Try again.')
  return undefined // a bug of ours, or invalid data: reported as such
}
