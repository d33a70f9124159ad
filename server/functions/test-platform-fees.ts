import { creatorPercentOf, splitPayment } from '@ovation/contract/fees'
import { defineFunction } from './define.ts'
import { optionalInteger } from './fields.ts'

/** The default amounts of a plan and a payment on the testing page (TEST-07), and amounts that show rounding. */
const samples = [999, 1_000, 1, 5, 14, 15, 100, 99_999]
const mostCents = 99_999_999

/**
 * `test-platform-fees` {amountInCents? (1000)} → {success, feePercent, creatorPercent, payment, samples} (API-FN-13, GEN-06, TEST-07): how
 * amounts are split between creator and platform, by the code that splits every payment.
 */
export const testPlatformFees = defineFunction({
  name: 'test-platform-fees',
  requires: 'tester',
  fields: { amountInCents: optionalInteger({ label: 'The amount in cents', min: 1, max: mostCents }) },
  run: async ({ input, services }) => {
    const { platformFeePercent: feePercent } = services.config
    const split = (cents: number) => splitPayment(cents, feePercent)
    return {
      success: true,
      feePercent,
      creatorPercent: creatorPercentOf(feePercent),
      payment: split(input.amountInCents ?? 1_000),
      samples: samples.map(split),
    }
  },
})
