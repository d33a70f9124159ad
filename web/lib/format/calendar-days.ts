/** Days as `"2026-03-04"` and months as `"2026-03"`, which sort as text and belong to no time zone. */
const dayMs = 86_400_000
const long = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })
const title = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export const monthOf = (day: string): string => day.slice(0, 7)

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)

export function addMonths(month: string, count: number): string {
  const first = new Date(month)
  first.setUTCMonth(first.getUTCMonth() + count)
  return first.toISOString().slice(0, 7)
}

/** `"Wednesday, March 4"` */
export const longDay = (day: string): string => long.format(new Date(day))
/** `"March 2026"` */
export const monthTitle = (month: string): string => title.format(new Date(month))

/** The weeks of a month from Sunday, with `null` for the days of other months. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`
  const before = new Date(first).getUTCDay()
  const weeks: (string | null)[][] = []
  for (let start = addDays(first, -before); start < `${addMonths(month, 1)}-01`; start = addDays(start, 7))
    weeks.push(
      Array.from({ length: 7 }, (_day, n) => addDays(start, n)).map((day) => (monthOf(day) === month ? day : null)),
    )
  return weeks
}

/** The date in a time zone. */
export const dateIn = (zone: string, at = new Date()): string =>
  // Swedish dates look like the ones here.
  at.toLocaleDateString('sv-SE', { timeZone: zone })
