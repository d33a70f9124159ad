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
