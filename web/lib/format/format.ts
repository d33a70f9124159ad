/**
 * Created on first use: the first formatter of a page takes a phone a tenth of a second. Small counts and
 * dates, which nearly every screen has, are formatted here, exactly like `Intl` in English.
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
const months = 'January February March April May June July August September October November December'.split(' ')

/** `999` → `"$9.99"` (CONST-01). Every amount from the API is in cents. */
export const formatCents = (cents: number): string => dollars().format(cents / 100)

/** `12345` → `"12.3K"`. Put the exact number in a title beside it. */
export const formatCompact = (count: number): string => (isSmall(count) ? `${count}` : compact().format(count))

export const formatCount = (count: number): string => (isSmall(count) ? `${count}` : whole().format(count))

const isSmall = (count: number): boolean => Number.isInteger(count) && count >= 0 && count < 1000

/** `1, 'post'` → `"1 post"`; `2, 'post'` → `"2 posts"`. */
export const pluralize = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** Date and time in full, for a title on hover and for screen readers. */
export function formatExact(iso: string): string {
  const date = new Date(iso)
  const hours = date.getHours()
  // Non-breaking.
  const time = `${hours % 12 || 12}:${`${date.getMinutes()}`.padStart(2, '0')}\u00a0${hours < 12 ? 'AM' : 'PM'}`
  return `${months[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()} at ${time}`
}

/** `"Mar 4, 2023"` */
export function formatDate(iso: string): string {
  const date = new Date(iso)
  return `${formatDay(date)}, ${date.getFullYear()}`
}

/** `"Mar 4"` */
const formatDay = (date: Date): string => `${months[date.getMonth()]?.slice(0, 3)} ${date.getDate()}`

const minute = 60_000
const hour = 60 * minute

/** How long ago, as short as possible: `"now"`, `"5m"`, `"3h"`, `"2d"`, `"Mar 4"`, `"Mar 4, 2023"`. */
export function formatAgo(iso: string, now: Date = new Date()): string {
  const then = new Date(iso)
  const age = now.getTime() - then.getTime()
  if (age < minute) return 'now'
  if (age < hour) return `${Math.floor(age / minute)}m`
  if (age < 24 * hour) return `${Math.floor(age / hour)}h`
  if (age < 7 * 24 * hour) return `${Math.floor(age / (24 * hour))}d`
  return then.getFullYear() === now.getFullYear() ? formatDay(then) : formatDate(iso)
}

/** How long ago, for use in a sentence: `"a moment ago"`, `"5m ago"`, `"on Mar 4"`. */
export function formatAgoInWords(iso: string, now?: Date): string {
  const ago = formatAgo(iso, now)
  if (ago === 'now') return 'a moment ago'
  return /^\d/.test(ago) ? `${ago} ago` : `on ${ago}`
}

/** `0..n` below the cap, else `"99+"` (GEN-23). */
export const formatBadge = (count: number, cap: number): string => (count > cap ? `${cap}+` : String(count))

const units = ['B', 'KB', 'MB', 'GB']

/** `1536` → `"1.5 KB"`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log(bytes) / Math.log(1024)) : 0)
  return `${Number((bytes / 1024 ** step).toFixed(1))} ${units[step]}`
}
