import { localDate } from '../../lib/format/local-time.ts'

/** Times in the viewer's time zone. */
const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' })
const shortDay = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric' })
const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/** `"Friday, March 6"` */
export const dayOf = (iso: string): string => day.format(new Date(iso))
/** `"Fri, Mar 6"` */
const shortDayOf = (iso: string): string => shortDay.format(new Date(iso))
/** `"2:30 PM"` */
export const timeOf = (iso: string): string => time.format(new Date(iso))
/** `"Fri, Mar 6, 2:30 PM"` */
export const momentOf = (iso: string): string => `${shortDayOf(iso)}, ${timeOf(iso)}`
/** `"2:30 PM – 3:30 PM"`. Can wrap after the dash, but never before it. */
export const spanOf = (from: string, to: string): string => `${timeOf(from)}\u00a0– ${timeOf(to)}`

/** The viewer's time zone, `"Europe/Lisbon (GMT+1)"`. */
export function ownZone(now = new Date()): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const name = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(now)
    .find((part) => part.type === 'timeZoneName')?.value
  return name && name !== zone ? `${zone} (${name})` : zone
}
/** Rows grouped by local day, in the given order. */
export function byDay<Row extends { starts_at: string }>(rows: readonly Row[]): { date: string; rows: Row[] }[] {
  const days = new Map<string, Row[]>()
  for (const row of rows) {
    const date = localDate(new Date(row.starts_at))
    const found = days.get(date)
    if (found) found.push(row)
    else days.set(date, [row])
  }
  return [...days].map(([date, found]) => ({ date, rows: found }))
}

type Series = { date: string; start: string; minutes: number; count: number; weeks: number }

/**
 * The start times of a series, in the creator's time zone: `count` sessions back to back, on the same weekday for some weeks. 9 AM stays
 * 9 AM when daylight saving time begins or ends in between.
 */
export function startsOf({ date, start, minutes, count, weeks }: Series): Date[] {
  const [year = Number.NaN, month = 1, dayOfMonth = 1] = date.split('-').map(Number)
  const [hour = Number.NaN, minute = 0] = start.split(':').map(Number)
  return Array.from({ length: weeks }, (_week, week) =>
    Array.from(
      { length: count },
      (_session, session) =>
        new Date(new Date(year, month - 1, dayOfMonth + 7 * week, hour, minute).getTime() + session * minutes * 60_000),
    ),
  ).flat()
}

/** `65_000` → `"1:05"`, `3_725_000` → `"1:02:05"`; `"0:00"` once the time is up. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
