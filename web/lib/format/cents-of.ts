/**
 * What a price input holds, as the cents that the server takes: a float of dollars is never added up, only turned into cents (PROD-06). An
 * empty input is 0, and text that is no number is NaN.
 */
export const centsOf = (dollars: number | string): number => Math.round(Number(dollars) * 100)
