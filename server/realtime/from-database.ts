import type pg from 'pg'
import { realtimeErrors } from './errors.ts'

/** A zero byte in a text or in JSON, and a time out of range. Other errors of class 22 may come from a policy, a bug on the server. */
const malformed = new Set(['22021', '22P05', '22008'])

/** PostgreSQL's errors for a value that only the sender can fix. */
export function fromDatabase({ code }: pg.DatabaseError) {
  return code !== undefined && malformed.has(code) ? realtimeErrors.malformedValue() : undefined
}
