/** A payment of `grossCents`, split between the platform and the creator. `feeCents + netCents` is always `grossCents`. */
export type Split = { readonly grossCents: number; readonly feeCents: number; readonly netCents: number }

/**
 * The one place where a fee is rounded (GEN-06, D2): half a cent goes to the platform, as Stripe rounds `application_fee_percent`.
 * Integer arithmetic throughout: a percent has at most two decimals, so it is a whole number of hundredths.
 * @throws RangeError when the amount isn't a whole number of cents, or the percentage isn't between 0 and 100.
 */
export function splitPayment(grossCents: number, percent: number): Split {
  if (!Number.isSafeInteger(grossCents) || grossCents < 0) throw new RangeError(`${grossCents} is no amount in cents`)
  const hundredths = Math.round(percent * 100)
  if (!(hundredths >= 0 && hundredths <= 10_000)) throw new RangeError(`${percent} is no percentage`)
  // BigInt: a whole platform's volume in cents times ten thousand exceeds what a double can represent exactly.
  const feeCents = Number((BigInt(grossCents) * BigInt(hundredths) + 5_000n) / 10_000n)
  return { grossCents, feeCents, netCents: grossCents - feeCents }
}

/** The creator's share of each payment, in percent. */
export const creatorPercentOf = (feePercent: number): number => 100 - feePercent

/** Stripe's fee for a card payment in the United States, paid from the platform's fee. An estimate: Stripe's invoice is authoritative. */
export const processingFee = { percent: 2.9, fixedCents: 30, foreignCardPercent: 1.5, disputeCents: 1500 } as const

/** The referrer's share of each payment to the creator they invited, in percent of what that creator earns (REF-19). */
export const commissionPercent = 5

/** The platform's fee after Stripe's fee. Negative if the payment costs the platform money. */
export function marginOf(grossCents: number, feePercent: number): { processingCents: number; leftCents: number } {
  const processingCents = splitPayment(grossCents, processingFee.percent).feeCents + processingFee.fixedCents
  return { processingCents, leftCents: splitPayment(grossCents, feePercent).feeCents - processingCents }
}

/** The lowest price at which a payment doesn't cost the platform money, in cents; undefined if there is none. */
export function breakEvenCents(feePercent: number, { withCommission = false } = {}): number | undefined {
  const commission = withCommission ? (commissionPercent * creatorPercentOf(feePercent)) / 100 : 0
  // In thousandths of a percent, so that rounding of binary fractions doesn't matter.
  const share = Math.round((feePercent - commission - processingFee.percent) * 1000)
  return share > 0 ? Math.ceil((processingFee.fixedCents * 100_000) / share) : undefined
}
