/**
 * Created on first use: the first formatter of a page takes a phone a tenth of a second. Small counts, which nearly every screen has, are
 * formatted here, exactly like `Intl` in English.
 */
function lazily<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  return () => {
    made ??= make()
    return made
  }
}

const dollars = lazily(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }))
const compact = lazily(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }))
const whole = lazily(() => new Intl.NumberFormat('en-US'))

/** `999` → `"$9.99"` (CONST-01). Every amount from the API is in cents. */
export const formatCents = (cents: number): string => dollars().format(cents / 100)

/** `12345` → `"12.3K"`. Put the exact number in a title beside it. */
export const formatCompact = (count: number): string => (isSmall(count) ? `${count}` : compact().format(count))

export const formatCount = (count: number): string => (isSmall(count) ? `${count}` : whole().format(count))

const isSmall = (count: number): boolean => Number.isInteger(count) && count >= 0 && count < 1000

/** `1, 'post'` → `"1 post"`; `2, 'post'` → `"2 posts"`. */
export const pluralize = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** `0..n` below the cap, else `"99+"` (GEN-23). */
export const formatBadge = (count: number, cap: number): string => (count > cap ? `${cap}+` : String(count))

const units = ['B', 'KB', 'MB', 'GB']

/** `1536` → `"1.5 KB"`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log(bytes) / Math.log(1024)) : 0)
  return `${Number((bytes / 1024 ** step).toFixed(1))} ${units[step]}`
}
