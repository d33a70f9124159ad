import { randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import type { StoredEvent } from '../store/kinds.ts'

const latestMs = 2_000

/** Notes a delivery for each endpoint that wants the event, and says how many there are. */
export function queueDeliveries(context: Context, event: StoredEvent): number {
  const wanted = context.store.all('webhook_endpoint').filter(({ object: endpoint }) => {
    if (endpoint.status !== 'enabled') return false
    const { connect, everything } = context.store.hidden('webhook_endpoint', endpoint.id)
    // Stripe keeps the two apart: an endpoint hears of the platform, or (connect) of its connected accounts.
    if (!everything && connect !== (event.account !== undefined)) return false
    return endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(event.type)
  })
  const now = Date.now()
  const insert = context.store.prepare(
    'insert into deliveries (event, endpoint, queued_at_ms, next_at_ms) values (?, ?, ?, ?)',
  )
  for (const { object: endpoint } of wanted)
    insert.run(event.id, endpoint.id, now, now + (context.truth.lateEvents ? randomInt(latestMs) : 0))
  return wanted.length
}

/** How many endpoints still wait for an event. */
export function pendingWebhooks(context: Context, event: string): number {
  const row = context.store
    .prepare('select count(*) as pending from deliveries where event = ? and done_at_ms is null')
    .get(event) as { pending: number }
  return row.pending
}

/** Makes what waits for a retry due at once: the endpoint has just said where it is. */
export function retryNow(context: Context, endpoint: string): void {
  context.store
    .prepare('update deliveries set next_at_ms = ? where endpoint = ? and done_at_ms is null')
    .run(Date.now(), endpoint)
}
