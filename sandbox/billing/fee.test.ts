import fc from 'fast-check'
import { expect, it } from 'vitest'
import { feeOf } from './fee.ts'

it.each([
  [999, 10, 100],
  [995, 10, 100],
  [994, 10, 99],
  [50, 10, 5],
  [105, 10, 11],
  [1000, 0, 0],
  [1000, 100, 1000],
  [1000, 12.5, 125],
  [1001, 0.05, 1],
])('takes of %i cents at %f %% a fee of %i [GEN-06]', (amount, percent, fee) => {
  expect(feeOf(amount, percent)).toBe(fee)
})

it('is never further than half a cent from the exact fee, and never more than the amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 50, max: 99_999_999 }), fc.integer({ min: 0, max: 10_000 }), (amount, hundredths) => {
      const fee = feeOf(amount, hundredths / 100)
      expect(Math.abs(fee * 10_000 - amount * hundredths)).toBeLessThanOrEqual(5_000)
      expect(fee).toBeLessThanOrEqual(amount)
    }),
  )
})
