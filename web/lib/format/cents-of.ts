/**
 * Converts the value of a price input to cents. Dollars as floats are never added up, only converted (PROD-06). An empty input is 0; text
 * that isn't a number is NaN.
 */
export const centsOf = (dollars: number | string): number => Math.round(Number(dollars) * 100)
