/** The clock of a time zone, as the value of `<input type="datetime-local">`: `"2026-03-04T18:30"`. */
export const toZonedInput = (at: Date, zone: string): string =>
  // Sweden writes dates as ISO 8601 does.
  at.toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T')

/** The time at which a zone's clock shows an input's value; `null` while it is incomplete. In an hour that a zone skips, the one after. */
export function fromZonedInput(value: string, zone: string): Date | null {
  const clock = Date.parse(`${value}Z`)
  if (value === '' || Number.isNaN(clock)) return null
  // The offset at a first guess, then the one at the time that follows from it: the clocks may change between them.
  const guess = clock - offsetAt(clock, zone)
  const at = new Date(clock - offsetAt(guess, zone))
  // In a skipped hour, each is on the other side of it.
  return toZonedInput(at, zone) === value ? at : new Date(Math.max(guess, at.getTime()))
}

/** How far a zone's clock is ahead of UTC, in ms. */
const offsetAt = (at: number, zone: string): number => Date.parse(`${toZonedInput(new Date(at), zone)}Z`) - at

/** `"Fri, Mar 6, 2026, 6:30 PM GMT+1"` */
export const formatZoned = (iso: string, zone: string): string =>
  new Date(iso).toLocaleString('en-US', {
    timeZone: zone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })

/** The names of all time zones, for a field. @param first the one to begin with. */
export const zoneNames = (first: string): string[] => [
  ...new Set([first, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
]
