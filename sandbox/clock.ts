import { makeAvailable } from './billing/balance.ts'
import { endDebit } from './billing/bank-debit.ts'
import { expireSession } from './billing/checkout.ts'
import { lapseDispute } from './billing/dispute.ts'
import { settleDaily } from './billing/payout.ts'
import { wakeRefund } from './billing/refund.ts'
import { retryInvoice, wakeSubscription } from './billing/subscription.ts'
import { type Context, onAccount } from './context.ts'
import type { Log } from './log.ts'
import type { DueObject, Store } from './store/store.ts'

const tickMs = 1_000
const offsetKey = 'clock_offset_seconds'

const realNow = () => Math.floor(Date.now() / 1000)

export type Clock = {
  /** Unix seconds: the real time plus whatever the clock was advanced by. */
  now: () => number
  /** Goes forward, doing on the way, each at its own moment, what falls due: renewals, trial ends, retries, expiries. */
  advance: (seconds: number) => void
  /** Does what falls due until a moment of a history, all at once: the clock itself stays where it is. */
  replay: (until: number, contextAt: (now: number) => Context) => void
  /** Does nothing by itself until all that paused it have resumed it. @returns what resumes it. */
  pause: () => () => void
  close: () => void
}

/**
 * @param contextAt the context of work that happens at a moment.
 * @param committed called after each piece of work, for example to send its webhooks.
 */
export function startClock(store: Store, contextAt: (now: number) => Context, committed: () => void, log: Log): Clock {
  const offset = () => Number(store.setting(offsetKey) ?? 0)
  const now = () => realNow() + offset()

  /** Work and clock move in one transaction: a killed process finds both before it, or both after it. */
  function runUntil(target: number): void {
    for (let due = store.nextDue(target); due; due = store.nextDue(target)) {
      const { id, kind, dueAt } = due
      const moment = Math.max(dueAt, 0)
      store.transaction(() => {
        if (moment > now()) store.setSetting(offsetKey, String(moment - realNow()))
        wake(onAccount(contextAt(moment), due.account), { id, kind })
      })
      committed()
    }
  }

  function replay(until: number, historyAt: (now: number) => Context): void {
    store.transaction(() => {
      for (let due = store.nextDue(until); due; due = store.nextDue(until))
        wake(onAccount(historyAt(due.dueAt), due.account), due)
    })
  }

  // A timer has nobody to throw to: what fails is logged, rolled back, and tried again at the next tick.
  const pauses = new Set<symbol>()
  const tick = () => {
    if (pauses.size > 0) return
    try {
      runUntil(now())
    } catch (error) {
      log.error(`the clock could not do what was due: ${error instanceof Error ? error.stack : error}`)
    }
  }
  const timer = setInterval(tick, tickMs)
  timer.unref()
  return {
    now,
    advance: (seconds) => {
      const target = now() + seconds
      runUntil(target)
      store.transaction(() => store.setSetting(offsetKey, String(Math.max(target, now()) - realNow())))
    },
    replay,
    pause: () => {
      const pause = Symbol()
      pauses.add(pause)
      return () => void pauses.delete(pause)
    },
    close: () => clearInterval(timer),
  }
}

function wake(context: Context, { kind, id }: Pick<DueObject, 'kind' | 'id'>): void {
  const { store } = context
  if (kind === 'subscription') wakeSubscription(context, store.get('subscription', id))
  else if (kind === 'invoice') retryInvoice(context, store.get('invoice', id))
  else if (kind === 'checkout.session') expireSession(context, store.get('checkout.session', id))
  else if (kind === 'dispute') lapseDispute(context, store.get('dispute', id))
  else if (kind === 'payment_intent') endDebit(context, store.get('payment_intent', id))
  else if (kind === 'refund') wakeRefund(context, store.get('refund', id))
  else if (kind === 'account') settleDaily(context, id)
  else if (kind === 'balance_transaction') makeAvailable(context, store.get('balance_transaction', id))
  else throw new Error(`Nothing is known to happen to a ${kind}`)
}
