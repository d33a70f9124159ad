import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'

/**
 * Stores an event, once.
 * @param fulfill false for a type without a handler: it counts as done, and is kept for reference.
 * @returns whether it still has to be fulfilled.
 */
export async function storeEvent(
  { database }: Pick<Payments, 'database'>,
  event: Stripe.Event,
  { fulfill }: { readonly fulfill: boolean },
): Promise<{ pending: boolean }> {
  const [stored] = await database.service.rows<{ pending: boolean }>(sql`
    insert into private.stripe_events (id, type, payload, created_at, processed_at)
    values (${event.id}, ${event.type}, ${JSON.stringify(event)}::jsonb, ${new Date(event.created * 1000)},
      case when not ${fulfill}::boolean then now() end)
    on conflict (id) do update set id = excluded.id
    returning processed_at is null as pending`)
  return { pending: stored?.pending ?? true }
}

/** A stored event that still has to be fulfilled; undefined if it already was, or was never stored. */
export async function readPendingEvent({ database }: Payments, id: string): Promise<Stripe.Event | undefined> {
  const [stored] = await database.service.rows<{ payload: Stripe.Event }>(sql`
    select payload from private.stripe_events where id = ${id} and processed_at is null`)
  return stored?.payload
}

export async function markProcessed({ database }: Payments, id: string): Promise<void> {
  await database.service.rows(sql`
    update private.stripe_events set processed_at = now(), error = null where id = ${id} and processed_at is null`)
}

/** Stores the reason where an operator finds it; the job retries. */
export async function markFailed({ database }: Payments, id: string, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error)
  await database.service.rows(sql`
    update private.stripe_events set error = ${reason.slice(0, 1000)} where id = ${id} and processed_at is null`)
}

/** Events whose job was lost: stored, never tried, and too old for a job to be about to run. */
export async function findForgottenEvents({ database }: Payments): Promise<string[]> {
  const rows = await database.service.rows<{ id: string }>(sql`
    select id from private.stripe_events
    where processed_at is null and error is null and received_at < now() - interval '1 minute'
    order by received_at limit 500`)
  return rows.map(({ id }) => id)
}
