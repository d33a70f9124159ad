import { describe, expect, it } from 'vitest'
import { addDays } from '../../../lib/format/calendar-days.ts'
import { describeChange } from './change.ts'
import type { Column } from './columns.ts'
import { periodParameters, readPeriod } from './period.ts'
import { plotDays } from './plot.ts'

type Row = { day: string; sum: number; level: number | null }
const columns: Column<Row>[] = [
  { name: 'sum', label: 'Sum', unit: 'count', over: 'sum', color: 'red', isBelow: true, of: ({ sum }) => sum },
  { name: 'level', label: 'Level', unit: 'count', over: 'last', color: 'blue', of: ({ level }) => level },
  { name: 'table', label: 'Table', unit: 'count', of: ({ sum }) => sum },
]
const rows = (count: number): Row[] =>
  Array.from({ length: count }, (_, n) => ({ day: addDays('2026-01-01', n), sum: 1, level: n }))
const plot = (count: number, marks: { day: string; name: string }[] = []) =>
  plotDays({ kind: 'stacked', rows: rows(count), columns, dayOf: ({ day }) => day, marks })

describe('a chart by day', () => {
  it('has a point for each of 92 days, and for each week of more [STATX-03, D115]', () => {
    expect(plot(92).points).toHaveLength(92)
    const weeks = plot(93)
    expect(weeks.points).toHaveLength(14)
    expect(weeks.points[0]).toEqual({ label: 'Jan 1', sum: -7, level: 6 })
    expect(weeks.points.at(-1)).toEqual({ label: 'Apr 2', sum: -2, level: 92 })
    expect(weeks.series.map(({ name }) => name)).toEqual(['sum', 'level'])
  })

  it('notes what happened at the point of its day, or of its week [STATX-01]', () => {
    const marks = [{ day: '2026-01-09', name: 'A price' }]
    expect(plot(30, marks).marks).toEqual([{ label: 'Jan 9', name: 'Jan 9: A price' }])
    expect(plot(100, marks).marks).toEqual([{ label: 'Jan 8', name: 'Jan 9: A price' }])
    expect(plot(0, marks).marks).toEqual([])
  })
})

describe('a period', () => {
  const now = new Date('2026-03-01T18:30:00Z')

  it('ends today in the time zone, and follows as many days before [STATX-01, STATX-03]', () => {
    const period = readPeriod(new URLSearchParams('period=7'), 'Asia/Kathmandu', now)
    expect(period).toMatchObject({ from: '2026-02-24', to: '2026-03-02', previousFrom: '2026-02-17', days: 7 })
    expect(readPeriod(new URLSearchParams('period=7'), 'UTC', now).to).toBe('2026-03-01')
  })

  it('survives the address [STATX-01]', () => {
    for (const search of ['', 'period=365', 'from=2026-01-01&to=2026-01-01']) {
      const period = readPeriod(new URLSearchParams(search), 'UTC', now)
      expect(new URLSearchParams(periodParameters(period)).toString()).toBe(search)
    }
  })

  it('may have 366 days, and none after today [STATX-01]', () => {
    const from = (search: string) => readPeriod(new URLSearchParams(search), 'UTC', now).from
    expect(from('from=2025-03-01&to=2026-03-01')).toBe('2025-03-01')
    expect(from('from=2025-02-28&to=2026-03-01')).toBe('2026-01-31')
    expect(from('from=2026-03-01&to=2026-03-02')).toBe('2026-01-31')
    expect(from('from=1999-12-31&to=2000-01-02')).toBe('2026-01-31')
  })
})

it('a change is a percentage only of something [STATX-01]', () => {
  expect(describeChange(3, 2, 'count')).toBe('+50% vs. previous period')
  expect(describeChange(1, 3, 'count')).toBe('−66.7% vs. previous period')
  expect(describeChange(2, 2, 'count')).toBe('as in the previous period')
  expect(describeChange(500, 0, 'cents')).toBe('$0.00 in the previous period')
})
