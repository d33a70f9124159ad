import { describe, expect, it } from 'vitest'
import { meets, parseFilter } from './row-filter.ts'

const row = {
  id: '7',
  name: 'Ada, "the" first',
  at: '2026-01-02 03:04:05+00',
  on: 't',
  none: null,
  big: '9007199254740993',
}
const check = (filter: string, type: string) => {
  const parsed = parseFilter(filter)
  if (!parsed) throw new Error(`${filter} is no filter`)
  return meets(parsed, row, type)
}

describe('filters on row changes [API-RT-02]', () => {
  it.each([
    ['id=eq.7', 'int4'],
    ['id=eq.7.0', 'numeric'],
    ['id=neq.8', 'int4'],
    ['id=lt.10', 'int4'], // as numbers: as texts 10 comes first
    ['id=lte.7', 'int4'],
    ['id=gt.-1', 'int4'],
    ['id=gte.7', 'int4'],
    ['id=in.(1,7)', 'int4'],
    ['id=in.( 7 )', 'int4'],
    ['big=eq.9007199254740993', 'int8'],
    ['name=eq.Ada, "the" first', 'text'],
    ['name=in.("Ada, \\"the\\" first",b)', 'text'],
    ['at=gt.2026-01-02T03:04:04Z', 'timestamptz'],
    ['on=eq.true', 'bool'],
  ])('%s on %s lets the row through', (filter, type) => expect(check(filter, type)).toBe(true))

  it.each([
    ['id=eq.8', 'int4'],
    ['id=eq.', 'int4'],
    ['id=eq.seven', 'int4'],
    ['id=in.(1,2)', 'int4'],
    ['id=in.()', 'int4'],
    ['big=eq.9007199254740992', 'int8'],
    ['on=eq.false', 'bool'],
    ['none=eq.null', 'text'],
    ['none=neq.x', 'text'], // as in SQL, nothing is different from null
    ['absent=eq.1', 'text'],
  ])('%s on %s holds the row back', (filter, type) => expect(check(filter, type)).toBe(false))

  it.each(['', 'id', 'id=7', 'id=like.a', 'id=in.1,2', '=eq.1', 'id=eq'])('%j is no filter', (text) => {
    expect(parseFilter(text)).toBeUndefined()
  })
})
