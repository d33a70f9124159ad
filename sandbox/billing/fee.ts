/** `percent` of an amount in cents, half a cent rounded up. Exact: percents have at most two decimals. */
export const feeOf = (amount: number, percent: number): number =>
  Math.floor((amount * Math.round(percent * 100) + 5000) / 10_000)

/** What Stripe takes of a charge: 2.9 % + 30 ¢, and 1.5 % more where the card was issued abroad. */
export const processingFeeOf = (amount: number, cardCountry: string): number =>
  feeOf(amount, cardCountry === 'US' ? 2.9 : 4.4) + 30

/** What Stripe takes of a debit of a bank account in the US: 0.8 %, $5 at most. */
export const debitFeeOf = (amount: number): number => Math.min(feeOf(amount, 0.8), 500)

/** Stripe's fee for each dispute, won or lost. */
export const disputeFee = 1500
