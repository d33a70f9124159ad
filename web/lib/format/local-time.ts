import { schedulingTexts } from '@ovation/contract/texts/scheduling'

/**
 * What `<input type="datetime-local">` speaks: a time of the viewer's own zone, to the minute, without naming the zone.
 * @returns `"2026-03-04T18:30"`
 */
export const toLocalInput = (date: Date): string =>
  `${localDate(date)}T${two(date.getHours())}:${two(date.getMinutes())}`

/** The day in the viewer's own zone, as `<input type="date">` speaks: `"2026-03-04"`. */
export const localDate = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

const two = (part: number): string => String(part).padStart(2, '0')

/** The moment that an input's value means; `null` while it is not whole. */
export function fromLocalInput(value: string): Date | null {
  const date = new Date(value) // without a zone it is read in the viewer's own
  return Number.isNaN(date.getTime()) ? null : date
}

/** `"Europe/Lisbon"` */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const yearMs = 365 * 86_400_000

/** What is wrong with a time to publish at, in words; the server asks the same. */
export function timeProblem(value: string): string | null {
  const at = fromLocalInput(value)?.getTime()
  if (at === undefined) return schedulingTexts.errors.missing
  if (at <= Date.now()) return schedulingTexts.errors.past
  return at > Date.now() + yearMs ? schedulingTexts.errors.far : null
}
