import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { localDate } from '../../lib/local-time.ts'
import { icsOf } from './ics.ts'
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

describe('the calendar file [PRIV-04]', () => {
  const file = icsOf({
    id: '7b1f',
    title: 'Portfolio review; with Ada, the photographer of the long and winding pier in Lisbon çççççççç',
    starts_at: '2026-03-06T14:30:00+00:00',
    ends_at: '2026-03-06T15:30:00+00:00',
    url: 'https://ovation.example/private-sessions/7b1f',
    writtenAt: new Date('2026-03-01T00:00:00Z'),
  })

  it('holds one event in UTC, with an alarm', () => {
    const unfolded = file.replaceAll('\r\n ', '')
    expect(unfolded).toContain('DTSTART:20260306T143000Z\r\nDTEND:20260306T153000Z\r\n')
    expect(unfolded).toContain('UID:7b1f@ovation.example\r\nDTSTAMP:20260301T000000Z\r\n')
    expect(unfolded).toContain('SUMMARY:Portfolio review\\; with Ada\\, the photographer')
    expect(unfolded).toContain('TRIGGER:-PT15M')
  })

  it('has lines of at most 75 octets, ended as RFC 5545 wants', () => {
    const lines = file.split('\r\n')
    expect(lines.pop()).toBe('')
    expect(Math.max(...lines.map((line) => new TextEncoder().encode(line).length))).toBeLessThanOrEqual(75)
    expect(file.replaceAll('\r\n ', '')).toContain('çççççççç')
  })
})
