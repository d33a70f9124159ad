import { describe, expect, it } from 'vitest'
import { DatabaseFailure, type DatabaseFailureReason } from '../postgres/database-failure.ts'
import { fromDatabaseFailure } from './from-database-failure.ts'

describe('A statement that PostgreSQL did not answer', () => {
  const cause = new Error('connect ECONNREFUSED')

  it.each<[DatabaseFailureReason, number, string, Record<string, string>]>([
    [{ kind: 'overloaded' }, 503, 'overloaded', { 'Retry-After': '1' }],
    [{ kind: 'unreachable' }, 503, 'database_unavailable', { 'Retry-After': '2' }],
    [{ kind: 'time_used', retryAfterSeconds: 7 }, 429, 'rate_limited', { 'Retry-After': '7' }],
    [{ kind: 'result_too_large', maxBytes: 1000 }, 400, '54000', {}],
  ])('is answered by its reason: %j', (reason, status, code, headers) => {
    expect(fromDatabaseFailure(new DatabaseFailure(reason, { cause }))).toMatchObject({ status, code, headers })
  })

  it('keeps the cause of a lost connection for the log', () => {
    expect(fromDatabaseFailure(new DatabaseFailure({ kind: 'unreachable' }, { cause })).cause).toBe(cause)
  })

  it('has no cause when the pool is full, because nothing is broken', () => {
    expect(fromDatabaseFailure(new DatabaseFailure({ kind: 'overloaded' })).cause).toBeUndefined()
  })
})
