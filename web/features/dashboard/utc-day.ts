const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A date in UTC, like the dashboard's days. */
export const formatUtcDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))
/** The month of a date in UTC. */
export const formatUtcMonth = (day: string): string => monthFormat.format(new Date(`${day}T00:00:00Z`))
