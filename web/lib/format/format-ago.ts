import { formatDate, formatDay } from './format-date.ts'

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
