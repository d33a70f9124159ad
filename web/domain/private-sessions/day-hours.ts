/** Hours of a day in the creator's time zone: `{ start: "09:00", end: "17:00" }`. The last can end at `"24:00"`. */
export type HourSpan = { start: string; end: string }

export const maxSpans = 8

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** As `<input type="time">` shows them: it ends a day at `"00:00"`. */
export const toInputs = (spans: readonly HourSpan[]): HourSpan[] =>
  spans.map(({ start, end }) => ({ start, end: end === '24:00' ? '00:00' : end }))

/** As the database stores them, in order. */
export const fromInputs = (spans: readonly HourSpan[]): HourSpan[] =>
  spans
    .map(({ start, end }) => ({ start, end: end === '00:00' ? '24:00' : end }))
    .toSorted((one, other) => one.start.localeCompare(other.start))

export type HoursProblem = 'incomplete' | 'order' | 'overlap'

/** What is wrong with the inputs of a day, as `private.are_day_hours` decides. */
export function problemOf(inputs: readonly HourSpan[]): HoursProblem | null {
  if (inputs.some(({ start, end }) => !start || !end)) return 'incomplete'
  const spans = fromInputs(inputs)
  if (spans.some(({ start, end }) => start >= end)) return 'order'
  return spans.some(({ start }, n) => start < (spans[n - 1]?.end ?? '')) ? 'overlap' : null
}

/**
 * The next hours to suggest: a working day, then an hour after the last ones, at nine, or beside others. Empty where no whole hour is free;
 * null if the day can't have more.
 */
export function nextSpan(inputs: readonly HourSpan[]): HourSpan | null {
  if (inputs.length === 0) return { start: '09:00', end: '17:00' }
  if (inputs.length >= maxSpans) return null
  const spans = fromInputs(inputs).filter(({ start, end }) => start && end)
  const ends = spans.map(({ end }) => end).toSorted()
  const starts = [...ends.slice(-1), '09:00', ...ends, ...spans.map(({ start }) => later(start, -1))]
  const start = starts.find((from) => {
    const to = later(from, 1)
    return from && to <= '24:00' && spans.every((span) => span.end <= from || span.start >= to)
  })
  return start ? { start, end: later(start, 1).replace('24:00', '00:00') } : { start: '', end: '' }
}

/** `"09:30"` → `"10:30"`; empty before the day begins, and more than `"24:00"` after it ends. */
function later(time: string, hours: number): string {
  const hour = Number(time.slice(0, 2)) + hours
  return hour < 0 ? '' : `${String(hour).padStart(2, '0')}${time.slice(2)}`
}

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
const clock = (value: string) => time.format(new Date(`2000-01-01T${value === '24:00' ? '00:00' : value}Z`))
/** `"9:00 AM – 12:00 PM, 2:00 PM – 5:00 PM"` */
export const hoursText = (spans: readonly HourSpan[]): string =>
  spans.map(({ start, end }) => `${clock(start)}\u00a0– ${clock(end)}`).join(', ')
