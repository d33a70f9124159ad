import fc from 'fast-check'
import { expect, it } from 'vitest'
import { periodEnd } from './intervals.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 1000

it.each([
  ['2026-01-31T12:00:00', '2026-01-31T12:00:00', 'month', 1, '2026-02-28T12:00:00'],
  ['2026-01-31T12:00:00', '2026-02-28T12:00:00', 'month', 1, '2026-03-31T12:00:00'],
  ['2028-01-31T12:00:00', '2028-01-31T12:00:00', 'month', 1, '2028-02-29T12:00:00'],
  ['2028-02-29T00:00:01', '2028-02-29T00:00:01', 'year', 1, '2029-02-28T00:00:01'],
  ['2026-11-30T23:59:59', '2026-11-30T23:59:59', 'month', 3, '2027-02-28T23:59:59'],
  ['2026-01-01T00:00:00', '2026-01-20T00:00:00', 'week', 2, '2026-01-29T00:00:00'],
  ['2026-01-01T00:00:00', '2026-01-01T00:00:00', 'day', 1, '2026-01-02T00:00:00'],
])('from %s, at %s, every %s × %i ends at %s', (anchor, moment, interval, interval_count, end) => {
  expect(periodEnd(at(anchor), { interval, interval_count }, at(moment))).toBe(at(end))
})

it('always ends after the moment, and the next period begins where it ended', () => {
  const recurring = fc.record({
    interval: fc.constantFrom('day', 'week', 'month', 'year'),
    interval_count: fc.integer({ min: 1, max: 3 }),
  })
  fc.assert(
    fc.property(
      fc.integer({ min: at('2024-01-01'), max: at('2034-01-01') }),
      fc.integer({ min: 0, max: 90_000_000 }),
      recurring,
      (anchor, later, every) => {
        const end = periodEnd(anchor, every, anchor + later)
        expect(end).toBeGreaterThan(anchor + later)
        expect(periodEnd(anchor, every, end - 1)).toBe(end)
      },
    ),
  )
})
