/** `percent` of an amount in cents, half a cent rounded up. Exact: percents have at most two decimals. */
export const feeOf = (amount: number, percent: number): number =>
  Math.floor((amount * Math.round(percent * 100) + 5000) / 10_000)
