/** A payment of `grossCents` parted between the platform and the creator. `feeCents + netCents` is always `grossCents`. */
export type Split = { readonly grossCents: number; readonly feeCents: number; readonly netCents: number }

/**
 * The one place where a fee is rounded (GEN-06, D2): half a cent goes to the platform, as Stripe rounds `application_fee_percent`.
 * Integer arithmetic throughout: a percent has at most two decimals, so it is a whole number of hundredths.
 * @throws RangeError when the amount is no whole number of cents, or the percent is not from 0 to 100.
 */
export function splitPayment(grossCents: number, percent: number): Split {
  if (!Number.isSafeInteger(grossCents) || grossCents < 0) throw new RangeError(`${grossCents} is no amount in cents`)
  const hundredths = Math.round(percent * 100)
  if (!(hundredths >= 0 && hundredths <= 10_000)) throw new RangeError(`${percent} is no percentage`)
  // BigInt: a whole platform's volume in cents times ten thousand passes the numbers that a double holds exactly.
  const feeCents = Number((BigInt(grossCents) * BigInt(hundredths) + 5_000n) / 10_000n)
  return { grossCents, feeCents, netCents: grossCents - feeCents }
}

/** What of each payment is the creator's, in percent. */
export const creatorPercentOf = (feePercent: number): number => 100 - feePercent

/** What Stripe charges for a card payment in the United States. It comes out of the platform's fee; Stripe's bill decides. */
export const processingFee = { percent: 2.9, fixedCents: 30, foreignCardPercent: 1.5, disputeCents: 1500 } as const

/** What a referrer gets of each payment to the creator they invited, in percent of what that creator earns (REF-19). */
export const commissionPercent = 5

/** What the platform keeps of a payment once Stripe has taken its fee for it. Negative where the payment costs money. */
export function marginOf(grossCents: number, feePercent: number): { processingCents: number; leftCents: number } {
  const processingCents = splitPayment(grossCents, processingFee.percent).feeCents + processingFee.fixedCents
  return { processingCents, leftCents: splitPayment(grossCents, feePercent).feeCents - processingCents }
}

/** The price from which payments cost the platform nothing, in cents; undefined when none is high enough. */
export function breakEvenCents(feePercent: number, { withCommission = false } = {}): number | undefined {
  const commission = withCommission ? (commissionPercent * creatorPercentOf(feePercent)) / 100 : 0
  // In thousandths of a percent, so that a share that is just enough isn't lost to binary fractions.
  const share = Math.round((feePercent - commission - processingFee.percent) * 1000)
  return share > 0 ? Math.ceil((processingFee.fixedCents * 100_000) / share) : undefined
}
