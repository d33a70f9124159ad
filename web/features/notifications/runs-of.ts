import type { Notification } from './queries.ts'

export type Run = { first: Notification; rest: Notification[] }

/** Types of which a popular creator gets many in a row. Likes, comments, followers, and messages are grouped by the server. */
const plentiful = new Set(['tip', 'payment', 'subscription', 'like'])
/** Shorter runs aren't collapsed. */
const fewest = 3

/** Groups notifications of one type that follow each other, read or unread ones (LOOP-17). */
export function runsOf(rows: readonly Notification[]): Run[] {
  const runs: Run[] = []
  for (const row of rows) {
    const run = runs.at(-1)
    const belongs = run && plentiful.has(row.type) && row.type === run.first.type && row.is_read === run.first.is_read
    if (belongs) run.rest.push(row)
    else runs.push({ first: row, rest: [] })
  }
  return runs.flatMap((run) =>
    run.rest.length < fewest ? [run.first, ...run.rest].map((first) => ({ first, rest: [] })) : [run],
  )
}
