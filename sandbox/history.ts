import type { Clock } from './clock.ts'
import type { Context } from './context.ts'
import { historyHeader } from './http/api.ts'

/** A time before now in which payments can be made, as if the sandbox had been there. */
export type History = {
  /** What a request sends to happen in the history. */
  readonly headers: Readonly<Record<string, string>>
  /** Unix seconds in the history. */
  now: () => number
  /** Goes forward to a moment, at most to now, doing on the way what falls due: renewals, trial ends, retries. */
  passUntil: (moment: number) => void
  context: () => Partial<Context>
  /** Ends it. The clock goes on with what is due by now, and sends webhooks, unless it was paused before. */
  close: () => void
}

type HistoryOptions = {
  readonly clock: Clock
  readonly from: number
  readonly contextAt: (now: number) => Context
  readonly ended: () => void
}

export function startHistory({ clock, from, contextAt, ended }: HistoryOptions): History {
  let moment = from
  // Accounts of a history are paid out on demand.
  const silent = { isSilent: true, dailyPayouts: false } as const
  const resume = clock.pause()
  return {
    headers: { [historyHeader]: '1' },
    now: () => moment,
    passUntil: (next) => {
      const until = Math.min(next, clock.now())
      clock.replay(until, (now) => ({ ...contextAt(now), ...silent }))
      moment = Math.max(moment, until)
    },
    context: () => ({ ...silent, now: moment }),
    close: () => {
      ended()
      resume()
    },
  }
}
