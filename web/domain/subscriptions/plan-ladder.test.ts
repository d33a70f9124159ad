import { expect, it } from 'vitest'
import { withRungs } from './plan-ladder.ts'

const plan = (name: string, price_cents: number, interval: 'day' | 'week' | 'month' | 'year' = 'month') => ({
  id: name,
  name,
  price_cents,
  interval,
})
const rungs = (tiered: boolean, ...plans: ReturnType<typeof plan>[]) =>
  Object.fromEntries(withRungs(plans, tiered).map(({ name, includes, opensTo }) => [name, [includes, opensTo]]))

it('compares plans by the month, and includes the next cheaper one [LOOP-15, D13]', () => {
  expect(rungs(true, plan('year', 6000, 'year'), plan('week', 300, 'week'), plan('month', 999))).toEqual({
    year: [null, 'above'],
    month: ['year', 'above'],
    week: ['month', 'own'],
  })
})

it('includes nothing among plans of the same price [LOOP-15, D14]', () => {
  expect(rungs(true, plan('one', 1200), plan('other', 14_400, 'year'))).toEqual({
    one: [null, 'own'],
    other: [null, 'own'],
  })
})

it('opens a post to all subscribers where plans do not include each other [LOOP-15, D14]', () => {
  expect(rungs(false, plan('low', 500), plan('high', 900))).toEqual({ low: [null, 'all'], high: [null, 'all'] })
  expect(rungs(false, plan('only', 500))).toEqual({ only: [null, 'own'] })
  expect(rungs(true)).toEqual({})
})
