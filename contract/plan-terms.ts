/** The terms of several months for which a monthly plan can be sold, beside one month (OFFER-01). */
export const termMonths = [3, 6, 12] as const
export type TermMonths = (typeof termMonths)[number]
/** The most that a term can cost less than the same months one by one. */
export const termMaxPercentOff = 50

/** The price of a term, in cents. The same as `private.term_cents`. */
export const termCents = (priceCents: number, months: number, percentOff: number): number =>
  Math.round((priceCents * months * (100 - percentOff)) / 100)
