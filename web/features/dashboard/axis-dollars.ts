const withoutZeros = { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' } as const
const few = new Intl.NumberFormat('en-US', withoutZeros)
const many = new Intl.NumberFormat('en-US', { ...withoutZeros, notation: 'compact', maximumFractionDigits: 2 })

/** Cents as short labels for an axis: `50` → `"$0.50"`, `50_000` → `"$500"`, `135_000` → `"$1.35K"`. */
export const axisDollars = (cents: number): string => (Math.abs(cents) < 100_000 ? few : many).format(cents / 100)
