import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { signatureHeader } from './sign.ts'

const timeoutMs = 10_000
const firstRetryMs = 1_000
const longestRetryMs = 60_000
/** As long as Stripe keeps trying in live mode. Real time, not the sandbox's clock: the receiver lives in real time. */
const giveUpAfterMs = 3 * 24 * 60 * 60 * 1000
const longestSleepMs = 60_000

type Delivery = { seq: number; event: string; endpoint: string; attempts: number; queuedMs: number }

export type Deliverer = {
  /** Looks for deliveries that are due; cheap when there are none. */
  wake: () => void
  /** Resolves when every delivery has been tried; those that wait for a retry do not count. */
  settled: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Sends queued events one after the other, first what is due first, and again with growing pauses until the endpoint answers 2xx.
 * The queue is in the store, so a restart goes on where the last process stopped. An event may arrive twice: a process
 * that is killed between the answer and the note sends it again.
 */
export function startDeliverer(store: Store, log: Log): Deliverer {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let closed = false
  const stop = new AbortController()

  async function drain(): Promise<void> {
    for (let delivery = nextDue(store); delivery && !closed; delivery = nextDue(store)) {
      const failure = await attempt(store, delivery, stop.signal)
      if (closed) return
      note(store, delivery, failure)
      if (failure) log.warn(`webhook ${delivery.event} was not taken (attempt ${delivery.attempts + 1}): ${failure}`)
    }
  }

  function wake(): void {
    if (closed || running) return
    clearTimeout(timer)
    running = drain().finally(() => {
      running = undefined
      // What was queued since the last look is due now: nobody who waits for it may find nothing running.
      if (!closed && nextDue(store)) wake()
      else sleep()
    })
  }

  function sleep(): void {
    const next = closed ? undefined : nextAtMs(store)
    if (next === undefined) return
    timer = setTimeout(wake, Math.min(Math.max(next - Date.now(), 0), longestSleepMs))
    timer.unref()
  }

  wake()
  return {
    wake,
    settled: async () => {
      for (;;) {
        await running
        if (running) continue
        const next = closed ? undefined : firstAttemptMs(store)
        if (next === undefined) return
        await sleepFor(Math.max(next - Date.now(), 0), undefined, { signal: stop.signal }).catch(() => undefined)
        wake()
      }
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      stop.abort()
      await running
    },
  }
}

const nextDue = (store: Store) =>
  store
    .prepare(`select d.seq, d.event, d.endpoint, d.attempts, d.queued_at_ms as queuedMs from deliveries d
      where d.done_at_ms is null and d.next_at_ms <= ? order by d.next_at_ms, d.seq limit 1`)
    .get(Date.now()) as Delivery | undefined

function nextAtMs(store: Store): number | undefined {
  const row = store.prepare('select min(next_at_ms) as next from deliveries where done_at_ms is null').get() as {
    next: number | null
  }
  return row.next ?? undefined
}

/** When the next delivery is due that was never tried. */
function firstAttemptMs(store: Store): number | undefined {
  const row = store
    .prepare('select min(next_at_ms) as next from deliveries where done_at_ms is null and attempts = 0')
    .get() as { next: number | null }
  return row.next ?? undefined
}

/** @returns what went wrong, or undefined when the endpoint answered 2xx. */
async function attempt(store: Store, delivery: Delivery, signal: AbortSignal): Promise<string | undefined> {
  const endpoint = store.find('webhook_endpoint', '', delivery.endpoint)
  if (!endpoint) return undefined // it was deleted: nobody waits for the event any more
  const body = JSON.stringify(store.get('event', delivery.event), null, 2)
  const { secret } = store.hidden('webhook_endpoint', endpoint.id)
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (sandbox)',
        'stripe-signature': signatureHeader(secret, body, Math.floor(Date.now() / 1000)),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.arrayBuffer()
    return response.ok ? undefined : `HTTP ${response.status}`
  } catch (error) {
    return error instanceof Error
      ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`
      : 'no answer'
  }
}

function note(store: Store, delivery: Delivery, failure: string | undefined): void {
  const now = Date.now()
  const attempts = delivery.attempts + 1
  if (failure === undefined) {
    store
      .prepare('update deliveries set attempts = ?, done_at_ms = ?, last_error = null where seq = ?')
      .run(attempts, now, delivery.seq)
    return
  }
  const pause = Math.min(firstRetryMs * 2 ** delivery.attempts, longestRetryMs)
  const gaveUp = now - delivery.queuedMs > giveUpAfterMs
  store
    .prepare('update deliveries set attempts = ?, next_at_ms = ?, done_at_ms = ?, last_error = ? where seq = ?')
    .run(attempts, now + pause, gaveUp ? now : null, failure, delivery.seq)
}
