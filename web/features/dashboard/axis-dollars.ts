const withoutZeros = { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' } as const
const few = new Intl.NumberFormat('en-US', withoutZeros)
const many = new Intl.NumberFormat('en-US', { ...withoutZeros, notation: 'compact', maximumFractionDigits: 2 })

/** `0.5` → `"$0.50"`, `500` → `"$500"`, `1350` → `"$1.35K"`: in few letters, for the ticks of an axis. */
export const axisDollars = (amount: number): string => (Math.abs(amount) < 1000 ? few : many).format(amount)
