import { formatTime } from '../../lib/format/format-time.ts'
import { localDate, ownZone } from '../../lib/format/local-time.ts'

/** Times in the viewer's time zone. */
const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' })
const shortDay = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric' })

/** `"Friday, March 6"` */
export const dayOf = (iso: string): string => day.format(new Date(iso))
/** `"Fri, Mar 6"` */
const shortDayOf = (iso: string): string => shortDay.format(new Date(iso))
/** `"Fri, Mar 6, 2:30 PM"` */
export const momentOf = (iso: string): string => `${shortDayOf(iso)}, ${formatTime(iso)}`
/** `"2:30 PM – 3:30 PM"`. Can wrap after the dash, but never before it. */
export const spanOf = (from: string, to: string): string => `${formatTime(from)}\u00a0– ${formatTime(to)}`

/** A time zone, the viewer's by default, with its offset at a time: `"Europe/Lisbon (GMT+1)"`. */
export function zoneWithOffset(zone = ownZone(), at = new Date()): string {
  const name = shortZone(at, zone)
  return name && name !== zone ? `${zone} (${name})` : zone
}

/** `"GMT+1"`, `"EST"` */
const shortZone = (at: Date, zone: string | undefined): string | undefined =>
  new Intl.DateTimeFormat('en-US', { timeZoneName: 'short', timeZone: zone })
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value

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

export type Start = { starts_at: string; label: string }

/** When sessions can start, by local day. Where a day has an hour twice, because the clocks go back, the zone tells the times apart. */
export function startsByDay(starts: readonly string[]): Map<string, Start[]> {
  const days = byDay(starts.map((starts_at) => ({ starts_at, label: formatTime(starts_at) })))
  return new Map(
    days.map(({ date, rows }) => [
      date,
      rows.map((row) =>
        rows.some((other) => other !== row && other.label === row.label)
          ? { ...row, label: `${row.label} ${shortZone(new Date(row.starts_at), undefined)}` }
          : row,
      ),
    ]),
  )
}

/** `65_000` → `"1:05"`, `3_725_000` → `"1:02:05"`; `"0:00"` once the time is up. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
