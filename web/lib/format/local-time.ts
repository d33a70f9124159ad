import { schedulingTexts } from '@ovation/contract/texts/scheduling'

/**
 * The value of `<input type="datetime-local">`: a local time to the minute, without a time zone.
 * @returns `"2026-03-04T18:30"`
 */
export const toLocalInput = (date: Date): string =>
  `${localDate(date)}T${two(date.getHours())}:${two(date.getMinutes())}`

/** The local date, as in `<input type="date">`: `"2026-03-04"`. */
export const localDate = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** The last second of a local date. */
export const endOfDay = (day: string): Date => new Date(`${day}T23:59:59`)

const two = (part: number): string => String(part).padStart(2, '0')

/** The time of an input's value; `null` while it is incomplete. */
export function fromLocalInput(value: string): Date | null {
  const date = new Date(value) // parsed as local time because it has no zone
  return Number.isNaN(date.getTime()) ? null : date
}

/** `"Europe/Lisbon"` */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const yearMs = 365 * 86_400_000

/** The error for a publication time, if any; the server checks the same. */
export function timeProblem(value: string): string | null {
  const at = fromLocalInput(value)?.getTime()
  if (at === undefined) return schedulingTexts.errors.missing
  if (at <= Date.now()) return schedulingTexts.errors.past
  return at > Date.now() + yearMs ? schedulingTexts.errors.far : null
}
