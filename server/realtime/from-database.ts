import type pg from 'pg'
import { realtimeErrors } from './errors.ts'

/** A zero byte in a text or in JSON, and a time out of range. Other refusals of class 22 may come of a policy, and are ours to mend. */
const malformed = new Set(['22021', '22P05', '22008'])

/** PostgreSQL's refusals of a value that the sender alone can mend. */
export function fromDatabase({ code }: pg.DatabaseError) {
  return code !== undefined && malformed.has(code) ? realtimeErrors.malformedValue() : undefined
}
