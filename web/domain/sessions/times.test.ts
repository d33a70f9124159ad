import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { localDate } from '../../lib/format/local-time.ts'
import { byDay, clockOf, spanOf, startsOf } from './times.ts'

it('says from when to when, and no line begins with the dash', () => {
  const at = (hour: number) => new Date(2026, 2, 5, hour, 30).toISOString()
  expect(spanOf(at(9), at(10)).replace(/\u202f/g, ' ')).toBe('9:30 AM\u00a0– 10:30 AM')
})

describe('a series of times [PRIV-02]', () => {
  it('is one session after the other, on the same weekday, by the creator’s own clock', () => {
    const starts = startsOf({ date: '2026-03-05', start: '09:30', minutes: 45, count: 3, weeks: 2 })
    expect(starts.map((start) => [localDate(start), start.toTimeString().slice(0, 5)])).toEqual([
      ['2026-03-05', '09:30'],
      ['2026-03-05', '10:15'],
      ['2026-03-05', '11:00'],
      ['2026-03-12', '09:30'],
      ['2026-03-12', '10:15'],
      ['2026-03-12', '11:00'],
    ])
  })

  it('stays at nine in the morning when the clocks change in between', () => {
    vi.stubEnv('TZ', 'Europe/Lisbon')
    onTestFinished(() => void vi.unstubAllEnvs())
    const offsets = [0, 6].map((month) => new Date(2026, month, 1).getTimezoneOffset())
    expect(offsets).toEqual([0, -60]) // else nothing would be shown here
    // A year of weeks crosses both changes of clocks.
    const hours = startsOf({ date: '2026-01-05', start: '09:00', minutes: 30, count: 1, weeks: 52 }).map((start) =>
      start.getHours(),
    )
    expect(new Set(hours)).toEqual(new Set([9]))
  })

  it('is shown by day', () => {
    const at = (hour: number) => ({ starts_at: new Date(2026, 2, 5, hour).toISOString() })
    expect(byDay([at(9), at(14), at(33)]).map(({ date, rows }) => [date, rows.length])).toEqual([
      ['2026-03-05', 2],
      ['2026-03-06', 1],
    ])
  })
})

it.each([
  [65_000, '1:05'],
  [3_725_900, '1:02:05'],
  [-1, '0:00'],
])('tells %i ms as %s', (ms, words) => expect(clockOf(ms)).toBe(words))
