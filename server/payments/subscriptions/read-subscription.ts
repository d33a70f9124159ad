import type { Interval } from '@ovation/contract/limits'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'

/** A subscription in the form that its subscriber sees (API-FN-01, SUB-09). */
export type SubscriptionView = {
  readonly id: string
  readonly status: string
  readonly has_access: boolean
  readonly current_period_start: string | null
  readonly current_period_end: string | null
  readonly trial_end: string | null
  readonly cancel_at_period_end: boolean
  readonly tier_id: string
  readonly tier_name: string
  readonly tier: {
    readonly id: string
    readonly name: string
    readonly price_cents: number
    readonly interval: Interval
    /** How many intervals the price covers: 1, or the months of a term (OFFER-01). */
    readonly interval_count: number
  }
  readonly creator: {
    readonly id: string
    readonly username: string
    readonly display_name: string | null
    readonly avatar_url: string | null
  }
}

/**
 * The user's subscriptions, those that give access first.
 * @param db the user's own view: row-level security limits it to what they may see.
 * @param creatorId only with this creator; null for all.
 */
export function readSubscriptions(db: CallerDb, fanId: string, creatorId: string | null): Promise<SubscriptionView[]> {
  return db.rows<SubscriptionView>(sql`
    select s.id, s.status, s.access_until > now() as has_access, s.current_period_start, s.current_period_end, s.trial_end,
      s.cancel_at_period_end, s.tier_id, t.name as tier_name,
      jsonb_build_object('id', t.id, 'name', t.name, 'price_cents', s.price_cents, 'interval', t.interval, 'interval_count', s.interval_count) as tier,
      jsonb_build_object('id', c.id, 'username', c.username, 'display_name', c.display_name, 'avatar_url', c.avatar_url) as creator
    from public.subscriptions s
    join public.subscription_products t on t.id = s.tier_id
    join public.profiles c on c.id = s.creator_id
    where s.subscriber_id = ${fanId} and (${creatorId}::uuid is null or s.creator_id = ${creatorId}::uuid)
      and s.status not in ('incomplete', 'incomplete_expired')
    order by s.access_until desc, s.created_at desc
    limit 100`)
}
