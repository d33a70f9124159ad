import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clockOf, spanOf, zoneWithOffset } from './times.ts'

it('says from when to when, and no line begins with the dash', () => {
  const at = (hour: number) => new Date(2026, 2, 5, hour, 30).toISOString()
  expect(spanOf(at(9), at(10)).replace(/\u202f/g, ' ')).toBe('9:30 AM\u00a0– 10:30 AM')
})

describe('the times of an offer [LOOP-25]', () => {
  /** The module makes its formatters once, in the browser's time zone. */
  async function shownIn(zone: string, starts: string[]) {
    vi.stubEnv('TZ', zone)
    vi.resetModules()
    onTestFinished(() => {
      vi.unstubAllEnvs()
      vi.resetModules()
    })
    const { startsByDay } = await import('./times.ts')
    return [...startsByDay(starts)].map(([date, rows]) => [
      date,
      ...rows.map(({ label }) => label.replace(/\u202f/g, ' ')),
    ])
  }

  it('are shown by day in the time zone of the fan', async () => {
    const starts = ['2026-03-05T21:00:00Z', '2026-03-06T02:30:00Z']
    expect(await shownIn('America/New_York', starts)).toEqual([['2026-03-05', '4:00 PM', '9:30 PM']])
    expect(await shownIn('Europe/Berlin', starts)).toEqual([
      ['2026-03-05', '10:00 PM'],
      ['2026-03-06', '3:30 AM'],
    ])
  })

  it('name the zone where the clocks show an hour twice', async () => {
    expect(
      await shownIn('America/New_York', ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-01T07:30:00Z']),
    ).toEqual([['2026-11-01', '1:30 AM EDT', '1:30 AM EST', '2:30 AM']])
    expect(await shownIn('Europe/Berlin', ['2027-10-31T00:00:00Z', '2027-10-31T01:00:00Z'])).toEqual([
      ['2027-10-31', '2:00 AM GMT+2', '2:00 AM GMT+1'],
    ])
  })

  it('pass over an hour that the clocks skip', async () => {
    expect(await shownIn('Europe/Berlin', ['2027-03-28T00:30:00Z', '2027-03-28T01:00:00Z'])).toEqual([
      ['2027-03-28', '1:30 AM', '3:00 AM'],
    ])
  })
})

it('names a time zone with its offset', () => {
  expect(zoneWithOffset('Europe/Lisbon', new Date('2026-07-01T00:00Z'))).toBe('Europe/Lisbon (GMT+1)')
  expect(zoneWithOffset('UTC', new Date('2026-12-01T00:00Z'))).toBe('UTC')
})

it.each([
  [65_000, '1:05'],
  [3_725_900, '1:02:05'],
  [-1, '0:00'],
])('tells %i ms as %s', (ms, words) => expect(clockOf(ms)).toBe(words))
