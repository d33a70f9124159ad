export type Recurring = { interval: string; interval_count: number }

const secondsIn: Record<string, number> = { day: 86_400, week: 604_800 }

/**
 * The moment `steps` intervals after the anchor, in unix seconds. Months count from the anchor's own day and end at
 * the month's last day where that day is missing: 31 January, 28 February, 31 March.
 */
function after(anchor: number, { interval, interval_count }: Recurring, steps: number): number {
  const seconds = secondsIn[interval]
  if (seconds) return anchor + steps * interval_count * seconds
  const from = new Date(anchor * 1000)
  const months = from.getUTCMonth() + steps * interval_count * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  const midnight = Date.UTC(from.getUTCFullYear(), months, day) / 1000
  return midnight + (anchor % 86_400)
}

/** The end of the period that is running (or begins) at `moment`. */
export function periodEnd(anchor: number, recurring: Recurring, moment: number): number {
  let steps = 1
  while (after(anchor, recurring, steps) <= moment) steps += 1
  return after(anchor, recurring, steps)
}
