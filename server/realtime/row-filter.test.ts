import { postgresChangesFilter } from '@supabase/realtime-js'
import { describe, expect, it } from 'vitest'
import { fits, meets, parseFilters } from './row-filter.ts'

const row: Record<string, string | null> = {
  id: '7',
  name: 'Ada, "the" first',
  at: '2026-01-02 03:04:05.678901+00',
  on: 't',
  none: null,
  big: '9007199254740993',
  path: '100%_a',
}
const check = (text: string, type: string) => {
  const parsed = parseFilters(text)
  if (!parsed) throw new Error(`${text} is no filter`)
  return parsed.every((filter) => meets(filter, row[filter.column] ?? null, type))
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
    ['id=not.in.(1,2)', 'int4'],
    ['id=gt.5,id=lt.8', 'int4'],
    ['id=in.(6,7),id=not.eq.6', 'int4'],
    ['big=eq.9007199254740993', 'int8'],
    ['name=eq.Ada, "the" first', 'text'],
    ['name=eq."Ada, \\"the\\" first",name=like.Ada%', 'text'],
    ['name=in.("Ada, \\"the\\" first",b)', 'text'],
    ['name=like.%the_ f%', 'text'],
    ['name=ilike.ADA%FIRST', 'text'],
    ['name=not.like.Bob%', 'text'],
    ['path=like.100\\%\\__', 'text'],
    ['at=gt.2026-01-02T03:04:04Z', 'timestamptz'],
    ['at=eq.2026-01-02T03:04:05.678901+00:00', 'timestamptz'],
    ['at=lt.2026-01-02T03:04:05.678902Z', 'timestamptz'],
    ['on=eq.true', 'bool'],
    ['on=is.true', 'bool'],
    ['on=not.is.null', 'bool'],
    ['none=is.null', 'text'],
    ['none=isdistinct.x', 'text'],
    ['id=not.isdistinct.7', 'int4'],
  ])('%s on %s lets the row through', (filter, type) => expect(check(filter, type)).toBe(true))

  it.each([
    ['id=eq.8', 'int4'],
    ['id=eq.', 'int4'],
    ['id=eq.seven', 'int4'],
    ['id=in.(1,2)', 'int4'],
    ['id=in.()', 'int4'],
    ['id=not.in.(1,7)', 'int4'],
    ['id=gt.5,id=lt.7', 'int4'],
    ['big=eq.9007199254740992', 'int8'],
    ['path=like.100\\%\\_', 'text'],
    ['path=like.', 'text'],
    ['on=eq.false', 'bool'],
    ['on=is.false', 'bool'],
    ['none=eq.null', 'text'],
    ['none=neq.x', 'text'], // as in SQL, nothing differs from null
    ['none=not.eq.x', 'text'],
    ['none=not.is.null', 'text'],
    ['absent=eq.1', 'text'],
  ])('%s on %s holds the row back', (filter, type) => expect(check(filter, type)).toBe(false))

  it.each(['', 'id', 'id=7', 'id=sounds.a', 'id=in.1,2', '=eq.1', 'id=eq', 'id=is.7'])('%j is not a filter', (text) =>
    expect(parseFilters(text)).toBeUndefined(),
  )

  it('parses what the client’s builder writes', () => {
    const built = postgresChangesFilter()
      .eq('name', 'a,b=eq.c')
      .in('id', [1, 2])
      .not('name', 'in', ['x,y', '(z)'])
      .match('name', '^a{1,2}$')
      .is('on', null)
      .isDistinct('id', 3)
    expect(parseFilters(built.build())).toEqual([
      { column: 'name', operator: 'eq', isNegated: false, values: ['a,b=eq.c'] },
      { column: 'id', operator: 'in', isNegated: false, values: ['1', '2'] },
      { column: 'name', operator: 'in', isNegated: true, values: ['x,y', '(z)'] },
      { column: 'name', operator: 'match', isNegated: false, values: ['^a{1,2}$'] },
      { column: 'on', operator: 'is', isNegated: false, values: ['null'] },
      { column: 'id', operator: 'isdistinct', isNegated: false, values: ['3'] },
    ])
  })

  it('recognizes a value that does not fit the column’s type', () => {
    const fitting = (text: string, type: string) => parseFilters(text)?.every((filter) => fits(filter, type))
    expect([fitting('id=eq.7', 'int4'), fitting('id=eq.seven', 'int4')]).toEqual([true, false])
    expect([fitting('at=gt.2026-01-02', 'timestamptz'), fitting('at=gt.soon', 'timestamptz')]).toEqual([true, false])
    expect([fitting('u=eq.7', 'uuid'), fitting('on=eq.maybe', 'bool'), fitting('on=is.true', 'bool')]).toEqual([
      false,
      false,
      true,
    ])
  })
})
