import { expect, it } from 'vitest'
import { formatZoned, fromZonedInput, toZonedInput, zoneNames } from './zoned-time.ts'

it.each([
  ['2026-03-04T18:30', 'Europe/Lisbon', '2026-03-04T18:30:00.000Z'],
  ['2026-07-04T18:30', 'Europe/Lisbon', '2026-07-04T17:30:00.000Z'],
  ['2026-03-04T18:30', 'America/New_York', '2026-03-04T23:30:00.000Z'],
  // The morning after the clocks have changed, and the evening before.
  ['2026-03-08T09:00', 'America/New_York', '2026-03-08T13:00:00.000Z'],
  ['2026-03-07T23:00', 'America/New_York', '2026-03-08T04:00:00.000Z'],
  ['2026-11-01T09:00', 'Pacific/Auckland', '2026-10-31T20:00:00.000Z'],
  ['2026-03-04T18:30', 'Asia/Kathmandu', '2026-03-04T12:45:00.000Z'],
])('reads the clock %s in %s, and shows it again [MASS-02]', (value, zone, at) => {
  const date = fromZonedInput(value, zone)
  expect(date?.toISOString()).toBe(at)
  expect(date && toZonedInput(date, zone)).toBe(value)
})

it.each([
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T03:30'],
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T03:30'],
])('moves a time in an hour that %s skips to the hour after', (zone, value, after) => {
  const at = fromZonedInput(value, zone)
  expect(at && toZonedInput(at, zone)).toBe(after)
})

it.each(['', '2026-03-04T', 'soon'])('waits for a whole time: %j', (value) => {
  expect(fromZonedInput(value, 'UTC')).toBeNull()
})

it('says a time with its zone', () => {
  expect(formatZoned('2026-03-06T17:30:00Z', 'Europe/Berlin')).toBe('Fri, Mar 6, 2026, 6:30 PM GMT+1')
})

it('begins the zones with the one in use', () => {
  expect(zoneNames('Europe/Lisbon').slice(0, 2)).toEqual(['Europe/Lisbon', 'UTC'])
  expect(new Set(zoneNames('UTC')).size).toBe(zoneNames('UTC').length)
})
