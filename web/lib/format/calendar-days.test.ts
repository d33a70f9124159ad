import { expect, it } from 'vitest'
import { addDays, addMonths, dateIn, longDay, monthTitle, weeksOf } from './calendar-days.ts'

it('adds days and months across years and changes of the clocks', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2027-03-28', 1)).toBe('2027-03-29')
  expect(addDays('2027-03-01', -1)).toBe('2027-02-28')
  expect(addMonths('2026-12', 1)).toBe('2027-01')
  expect(addMonths('2027-01', -1)).toBe('2026-12')
})

it('names days and months', () => {
  expect(longDay('2026-03-04')).toBe('Wednesday, March 4')
  expect(monthTitle('2026-03')).toBe('March 2026')
})

it('lays a month out in weeks from Sunday', () => {
  const weeks = weeksOf('2026-11') // begins on a Sunday
  expect(weeks.map((week) => week.filter(Boolean).length)).toEqual([7, 7, 7, 7, 2])
  expect(weeks[0]?.[0]).toBe('2026-11-01')
  expect(weeksOf('2026-08')[0]).toEqual([null, null, null, null, null, null, '2026-08-01'])
  expect(weeksOf('2027-02').flat().filter(Boolean)).toHaveLength(28)
})

it('tells the date of a moment in a time zone', () => {
  const at = new Date('2026-11-01T03:30:00Z')
  expect(dateIn('America/New_York', at)).toBe('2026-10-31')
  expect(dateIn('Asia/Tokyo', at)).toBe('2026-11-01')
})
