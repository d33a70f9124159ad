import { describe, expect, it } from 'vitest'
import { integer, oneOf, optionalInteger, optionalText, optionalTime, readInput, text, uuid } from './fields.ts'

const fields = {
  name: text({ label: 'The name', max: 5, missing: 'Please fill in all required fields' }),
  note: optionalText({ label: 'The note', max: 5 }),
  cents: integer({ label: 'The price', min: 100, max: 999, tooSmall: 'Too cheap' }),
  days: optionalInteger({ label: 'The trial', min: 0, max: 90 }),
  interval: oneOf(['week', 'month'], { label: 'The interval' }),
  id: uuid({ label: 'The plan' }),
}
const id = '3f1c1c52-7a55-4f3e-9a53-2d4b2a3ad5b1'
const good = { name: 'Gold', cents: 999, interval: 'month', id }

describe('readInput', () => {
  it('reads a body, and returns null for absent optional fields', () => {
    expect(readInput(fields, JSON.stringify(good))).toEqual({ ...good, note: null, days: null })
  })

  it.each([
    ['2026-03-04T18:30:00+00:00', '2026-03-04T18:30:00.000Z'],
    ['2026-03-04T18:30Z', '2026-03-04T18:30:00.000Z'],
    ['2026-03-04T18:30:00.5-05:00', '2026-03-04T23:30:00.500Z'],
    [undefined, null],
  ])('reads the time %s', (given, time) => {
    expect(readInput({ at: optionalTime({ label: 'The start' }) }, { at: given })).toEqual({ at: time })
  })

  it.each(['2026-03-04', '2026-03-04T18:30', '2026-13-04T18:30Z', 'tomorrow', 7])('rejects the time %s', (given) => {
    expect(() => readInput({ at: optionalTime({ label: 'The start' }) }, { at: given })).toThrow(
      expect.objectContaining({ message: 'The start must be a time with its offset' }),
    )
  })

  it('trims text, and treats blank text as absent', () => {
    expect(readInput(fields, { ...good, name: ' Gold ', note: '   ' })).toMatchObject({ name: 'Gold', note: null })
  })

  it('counts characters as users do, not as UTF-16', () => {
    expect(readInput(fields, { ...good, name: '😀😀😀😀😀' }).name).toBe('😀😀😀😀😀')
  })

  it('ignores unknown members, including inherited ones', () => {
    const body = `{"name":"Gold","cents":999,"interval":"month","id":"${id}","more":1,"__proto__":{"note":"x"}}`
    expect(readInput(fields, body)).toEqual({ ...good, note: null, days: null })
  })

  it.each([
    ['name', { name: undefined }, 'Please fill in all required fields'],
    ['name', { name: '  ' }, 'Please fill in all required fields'],
    ['name', { name: 7 }, 'The name must be text'],
    ['name', { name: 'too long' }, 'The name can have up to 5 characters'],
    ['name', { name: 'a\0b' }, "The name contains a character that isn't allowed"],
    ['note', { note: {} }, 'The note must be text'],
    ['cents', { cents: null }, 'The price is missing'],
    ['cents', { cents: 99 }, 'Too cheap'],
    ['cents', { cents: -100 }, 'Too cheap'],
    ['cents', { cents: 99.5 }, 'The price must be a whole number'],
    ['cents', { cents: '999' }, 'The price must be a whole number'],
    ['cents', { cents: 1000 }, 'The price can be at most 999'],
    ['cents', { cents: Number.POSITIVE_INFINITY }, 'The price must be a whole number'],
    ['cents', { cents: 1e300 }, 'The price must be a whole number'],
    ['days', { days: 91 }, 'The trial can be at most 90'],
    ['days', { days: true }, 'The trial must be a whole number'],
    ['interval', { interval: 'decade' }, 'The interval must be one of week, month'],
    ['interval', { interval: undefined }, 'The interval is missing'],
    ['id', { id: 'x' }, 'The plan must be an id'],
    ['id', { id: undefined }, 'The plan is missing'],
  ])('names the invalid field: %s of %j', (field, change, message) => {
    expect(() => readInput(fields, { ...good, ...change })).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid_field', field, message }),
    )
  })

  it.each(['{', '[]', '7', '"text"', 'null', 'nonsense'])("rejects a body that isn't a JSON object: %s", (body) => {
    expect(() => readInput(fields, body)).toThrow(expect.objectContaining({ status: 400, code: 'bad_json' }))
  })

  it.each([undefined, null, '', '{}'])('treats a missing body as an empty one: %s', (body) => {
    expect(readInput({}, body)).toEqual({})
  })
})
