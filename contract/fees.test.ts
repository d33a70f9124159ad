import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { breakEvenCents, marginOf, splitPayment } from './fees.ts'

describe('splitPayment', () => {
  it.each([
    [999, 100, 899],
    [100, 10, 90],
    [99_999, 10_000, 89_999],
    [105, 11, 94], // 10.5 cents: half a cent is the platform's
    [104, 10, 94],
    [0, 0, 0],
  ])('parts %i cents into a fee of %i and %i for the creator [GEN-06, D2]', (grossCents, feeCents, netCents) => {
    expect(splitPayment(grossCents, 10)).toEqual({ grossCents, feeCents, netCents })
  })

  it('keeps every cent: fee and net make the gross, at any amount and percent [GEN-06]', () => {
    const percents = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), percents, (gross, percent) => {
        const { feeCents, netCents } = splitPayment(gross, percent)
        expect(feeCents + netCents).toBe(gross)
        expect(feeCents).toBeGreaterThanOrEqual(0)
        expect(netCents).toBeGreaterThanOrEqual(0)
        // Never further than half a cent from the exact share, and never below it by half: half rounds up.
        const distance = BigInt(feeCents) * 10_000n - BigInt(gross) * BigInt(Math.round(percent * 100))
        expect(distance > -5_000n && distance <= 5_000n).toBe(true)
      }),
    )
  })

  it('agrees with every price from $1.00 to $999.99 at ten percent, counted one by one', () => {
    for (let cents = 100; cents <= 99_999; cents++) {
      const expected = (cents - (cents % 10)) / 10 + (cents % 10 >= 5 ? 1 : 0)
      if (splitPayment(cents, 10).feeCents !== expected) expect.fail(`${cents} cents`)
    }
  })

  it.each([1.5, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d cents', (cents) => {
    expect(() => splitPayment(cents, 10)).toThrow(RangeError)
  })

  it.each([-1, 100.01, Number.NaN])('refuses %d percent', (percent) => {
    expect(() => splitPayment(100, percent)).toThrow(RangeError)
  })
})

describe('what is left of the platform fee', () => {
  it.each([
    [100, 10, 33, -23],
    [500, 10, 45, 5],
    [10_000, 10, 320, 680],
    [100, 50, 33, 17],
  ])('of %i cents at %i percent: Stripe takes %i and leaves %i', (gross, percent, processingCents, leftCents) => {
    expect(marginOf(gross, percent)).toEqual({ processingCents, leftCents })
  })

  it.each([
    [10, 423, 1154],
    [15, 248, 383],
    [20, 176, 230],
    [2.9, undefined, undefined],
    [0, undefined, undefined],
    [7, 732, undefined],
  ])('breaks even, at %d percent, from %j cents, and with a commission from %j', (percent, plain, commission) => {
    expect(breakEvenCents(percent)).toBe(plain)
    expect(breakEvenCents(percent, { withCommission: true })).toBe(commission)
  })

  it('stands in docs/stripe.md as it is reckoned', () => {
    const page = readFileSync(new URL('../docs/stripe.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| \$([\d.]+) \| \$([\d.]+) \| \$([\d.]+) \| (−?)\$([\d.]+) \|$/gm)]
    const cents = (text = '') => Math.round(Number(text) * 100)
    expect(rows.length).toBeGreaterThan(4)
    for (const [, price, share, fee, sign, left] of rows) {
      const { processingCents, leftCents } = marginOf(cents(price), 10)
      expect([cents(share), cents(fee), (sign ? -1 : 1) * cents(left)]).toEqual([
        splitPayment(cents(price), 10).feeCents,
        processingCents,
        leftCents,
      ])
    }
    for (const cents of [breakEvenCents(10), breakEvenCents(10, { withCommission: true })])
      expect(page).toContain(`$${((cents ?? 0) / 100).toFixed(2)}`)
  })
})
