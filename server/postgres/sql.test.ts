import { describe, expect, it } from 'vitest'
import { fragment, sql } from './sql.ts'

describe('a statement from a template', () => {
  it('has a parameter in place of each value, with those of fragments renumbered', () => {
    const limit = fragment`limit ${5} offset ${6}`
    expect(sql`select ${1}, ${'two'} from t ${limit} -- ${null}`).toEqual({
      text: 'select $1, $2 from t limit $3 offset $4 -- $5',
      values: [1, 'two', 5, 6, null],
    })
  })

  it('is built again when the same template gets another fragment', () => {
    const ask = (where: ReturnType<typeof fragment>, after: unknown) => sql`select from t ${where} and z = ${after}`
    for (let round = 0; round < 2; round++) {
      expect(ask(fragment`where a = ${1}`, 'x')).toEqual({
        text: 'select from t where a = $1 and z = $2',
        values: [1, 'x'],
      })
      expect(ask(fragment`where a = ${1} and b = ${2}`, 'x')).toEqual({
        text: 'select from t where a = $1 and b = $2 and z = $3',
        values: [1, 2, 'x'],
      })
      expect(ask(fragment`where true`, 'x')).toEqual({ text: 'select from t where true and z = $1', values: ['x'] })
    }
  })

  it('takes a value where a fragment was before, and vice versa', () => {
    const ask = (what: unknown) => sql`select ${what}`
    expect(ask('now()')).toEqual({ text: 'select $1', values: ['now()'] })
    expect(ask(fragment`now()`)).toEqual({ text: 'select now()', values: [] })
    expect(ask(undefined)).toEqual({ text: 'select $1', values: [undefined] })
  })
})
