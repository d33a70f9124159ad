const format = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** `"2026-03-04"` → `"Mar 4"` */
export const monthDay = (day: string): string => format.format(new Date(`${day}T00:00:00Z`))
