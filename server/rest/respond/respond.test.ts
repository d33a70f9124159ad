import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { fromDatabaseError } from '../database-errors.ts'
import { renderError } from '../render-error.ts'
import { renderApplied } from './applied-preferences.ts'
import { rangeStatus, renderContentRange } from './content-range.ts'
import { overrideFromSql } from './override.ts'

describe('Content-Range', () => {
  it.each([
    [0, 9, undefined, '0-9/*', 200],
    [0, 9, 10, '0-9/10', 200],
    [0, 9, 100, '0-9/100', 206],
    [0, -1, 0, '*/0', 200],
    [5, 4, undefined, '*/*', 200],
    [20, 19, 10, '*/10', 416],
  ])('of %i to %i of %s is %s with %i', (first, last, total, text, status) => {
    expect(renderContentRange(first, last, total)).toBe(text)
    expect(rangeStatus(first, last, total)).toBe(status)
  })
})

it('names the preferences that were applied', () => {
  expect(renderApplied({ count: 'exact', maxAffected: 3 })).toBe('count=exact')
  expect(renderApplied({ handling: 'strict', maxAffected: 3 })).toBe('handling=strict, max-affected=3')
  expect(renderApplied({})).toBeUndefined()
})

describe('status and headers set by SQL', () => {
  const response = { status: 200, headers: { a: '1' }, body: 'x' }

  it('replace those of the response', () => {
    expect(overrideFromSql(response, { status: '201', headers: '[{"A":"2"},{"B":"3"}]' })).toEqual({
      status: 201,
      headers: { a: '2', b: '3' },
      body: 'x',
    })
    expect(overrideFromSql(response, { status: null, headers: null })).toBe(response)
  })

  it.each([
    ['99', null, 'PGRST112'],
    ['x', null, 'PGRST112'],
    [null, '{}', 'PGRST111'],
    [null, 'x', 'PGRST111'],
    [null, '[{"a":1}]', 'PGRST111'],
    [null, '[{"a b":"1"}]', 'PGRST111'],
    [null, '[{"a":"1\\r\\nb: 2"}]', 'PGRST111'],
  ])("are rejected when they can't be sent: %s %s", (status, headers, code) => {
    expect(() => overrideFromSql(response, { status, headers })).toThrow(expect.objectContaining({ code }))
  })
})

describe('an error of PostgreSQL', () => {
  const refuse = (code: string, message = 'no', more: Partial<pg.DatabaseError> = {}) =>
    fromDatabaseError(Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, ...more }), true)

  it.each([
    ['23503', 409],
    ['23505', 409],
    ['23514', 400],
    ['42501', 401],
    ['42883', 404],
    ['42P01', 404],
    ['42703', 400],
    ['22P02', 400],
    ['25006', 405],
    ['57014', 504],
    ['P0001', 400],
    ['P0002', 500],
    ['PT402', 402],
    ['PT1', 500],
    ['PTabc', 500],
    ['54001', 400],
    ['XX000', 500],
  ])('%s is %i', (code, status) => {
    expect(refuse(code)).toMatchObject({ code, status, message: 'no' })
  })

  it.each([
    ['53300', 503],
    ['53100', 503],
    ['58030', 500],
  ])('%s is %i and reveals nothing about the server', (code, status) => {
    const refusal = refuse(code, 'could not extend file "base/16384/18226": No space left on device', {
      hint: 'Check free disk space.',
    })
    expect(refusal).toMatchObject({ code, status, headers: { 'Retry-After': '5' } })
    expect(JSON.stringify([refusal.message, refusal.details, refusal.hint])).not.toMatch(/extend|16384|disk space/)
  })

  it('is 403 for a signed-in user', () => {
    const denied = Object.assign(new pg.DatabaseError('no', 0, 'error'), { code: '42501' })
    expect(fromDatabaseError(denied, false).status).toBe(403)
    expect(renderError(fromDatabaseError(denied, true)).headers).toEqual({ 'WWW-Authenticate': 'Bearer' })
  })

  it('is set by `raise sqlstate PGRST`, as long as it can be sent', () => {
    const message = '{"code":"A1","message":"m","details":"d","hint":"h"}'
    expect(
      refuse('PGRST', message, { detail: '{"status":402,"headers":{"X-A":"1","Bad Name":"2","X-B":"\\r\\n"}}' }),
    ).toMatchObject({
      status: 402,
      code: 'A1',
      message: 'm',
      details: 'd',
      hint: 'h',
      headers: { 'X-A': '1' },
    })
    for (const [text, detail] of [
      ['x', '{}'],
      [message, undefined],
      [message, '{"status":9}'],
      ['null', '{}'],
    ] as const) {
      expect(refuse('PGRST', text, detail === undefined ? {} : { detail })).toMatchObject({
        code: 'PGRST121',
        status: 500,
      })
    }
  })
})
