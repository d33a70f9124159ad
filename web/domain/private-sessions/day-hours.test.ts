import { describe, expect, it } from 'vitest'
import { fromInputs, hoursText, nextSpan, problemOf, toInputs } from './day-hours.ts'

const span = (text: string) => ({ start: text.slice(0, 5), end: text.slice(6) })

describe('the hours of a day [LOOP-25]', () => {
  it('end at midnight as 00:00 in an input, and as 24:00 in the database', () => {
    expect(toInputs([span('20:00-24:00')])).toEqual([span('20:00-00:00')])
    expect(fromInputs([span('20:00-00:00'), span('09:00-10:00')])).toEqual([span('09:00-10:00'), span('20:00-24:00')])
  })

  it.each([
    [[], null],
    [[span('09:00-12:00'), span('12:00-13:00')], null],
    [[span('20:00-00:00')], null],
    [[{ start: '', end: '10:00' }], 'incomplete'],
    [[span('10:00-09:00')], 'order'],
    [[span('10:00-10:00')], 'order'],
    [[span('11:00-13:00'), span('09:00-11:30')], 'overlap'],
  ])('%j: %s', (spans, problem) => expect(problemOf(spans)).toBe(problem))

  it('continue after the last ones until the end of the day', () => {
    expect(nextSpan([])).toEqual(span('09:00-17:00'))
    expect(nextSpan([span('14:00-17:30'), span('09:00-10:00')])).toEqual(span('17:30-18:30'))
    expect(nextSpan([span('20:00-22:30')])).toEqual(span('22:30-23:30'))
    expect(nextSpan([span('20:00-23:00')])).toEqual(span('23:00-00:00'))
    expect(nextSpan([{ start: '', end: '' }])).toEqual(span('09:00-10:00'))
  })

  it.each([
    ['at nine', ['20:00-23:30'], '09:00-10:00'],
    ['at nine', ['20:00-00:00'], '09:00-10:00'],
    ['after others', ['08:30-12:00', '20:00-00:00'], '12:00-13:00'],
    ['before others', ['09:00-00:00'], '08:00-09:00'],
    ['where an hour is free', ['00:00-08:30', '09:00-22:00', '23:00-00:00'], '22:00-23:00'],
  ])('can be added before late ones: %s', (_where, taken, added) =>
    expect(nextSpan(taken.map(span))).toEqual(span(added)),
  )

  it('are empty where no hour is free, and stop at eight', () => {
    expect(nextSpan([span('00:00-23:30')])).toEqual({ start: '', end: '' })
    const hours = Array.from({ length: 8 }, (_, n) => span(`${10 + n}:00-${10 + n}:30`))
    expect(nextSpan(hours.slice(1))).toEqual(span('17:30-18:30'))
    expect(nextSpan(hours)).toBeNull()
  })

  it('are shown as one line', () => {
    expect(hoursText([span('09:00-12:00'), span('20:00-24:00')]).replace(/[\u00a0\u202f]/g, ' ')).toBe(
      '9:00 AM – 12:00 PM, 8:00 PM – 12:00 AM',
    )
  })
})
