import type pg from 'pg'
import type { GatewayError } from '../http/errors.ts'
import { FunctionError, functionErrors } from './errors.ts'

/** What a refusal of the database means here. SQL that speaks to people raises PTnnn: an HTTP status and a sentence for them. */
export function fromDatabase({ code = '', message }: pg.DatabaseError): GatewayError | undefined {
  const status = Number(/^PT([45]\d\d)$/.exec(code)?.[1])
  if (status) return new FunctionError(status, code, message)
  if (code === '42501') return functionErrors.forbidden()
  if (code === '57014') return new FunctionError(504, 'timeout', 'The database took too long to answer. Try again.')
  return undefined // a bug of ours, or data that is not as it should be: told as such
}
