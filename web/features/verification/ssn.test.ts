import { describe, expect, it } from 'vitest'
import { caretAfter, formatSsn, isWholeSsn } from './ssn.ts'

describe('a social security number', () => {
  it.each([
    ['', ''],
    ['123', '123'],
    ['1234', '123-4'],
    ['12345', '123-45'],
    ['123456789', '123-45-6789'],
    ['123 45 6789', '123-45-6789'],
    ['12a3-4', '123-4'],
    ['1234567890', '123-45-6789'],
  ])('typed as "%s" reads "%s" [VER-07]', (typed, shown) => {
    expect(formatSsn(typed)).toBe(shown)
  })

  it('is whole with nine digits [VER-06, VER-07]', () => {
    expect(['123-45-6789', '123-45-678', ''].map(isWholeSsn)).toEqual([true, false, false])
  })

  it('keeps the caret behind the same digit [VER-07]', () => {
    expect(['', '12', '123', '1234', '123-4', '123-456', '123-45-6789'].map(caretAfter)).toEqual([0, 2, 3, 5, 5, 8, 11])
  })
})
