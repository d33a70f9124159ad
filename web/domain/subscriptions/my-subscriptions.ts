import type { Interval } from '@ovation/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { subscriptionsKey } from './plan-queries.ts'

export type MySubscription = {
  id: string
  status: 'active' | 'trial' | 'past_due' | 'canceled' | 'unpaid' | 'paused'
  current_period_end: string | null
  trial_end: string | null
  cancel_at_period_end: boolean
  /** Someone else paid for it, or it was free: it ends by itself (OFFER-02). */
  is_gift: boolean
  /** The viewer's own pause, which begins at the end of the paid period (OFFER-10); `infinity` without an end. */
  paused_from: string | null
  paused_until: string | null
  /** Until when nobody charges it: a pause of the viewer, the creator (OFFER-09), or an operator. */
  billing_paused_until: string | null
  /** Computed by the gate (SUB-14..SUB-17): `infinity` if it renews automatically. */
  access_until: string
  creator: Byline
  /** What a period costs, and how many of the plan's intervals it has (OFFER-01). */
  price_cents: number
  interval_count: number
  /** The price that the creator moves it to, if there is one (OFFER-08). */
  moves: { to_cents: number; moves_at: string | null }[]
  /** The offer that it began with (OFFER-04). */
  offer?: { percent_off: number; until: string | null } | null
  /** `null` if the plan is deactivated. */
  plan: { name: string; interval: Interval } | null
  /** What the viewer's bank has to confirm: the renewal, or a switch to the named plan. */
  confirmation?: Confirmation | undefined
}

export type Confirmation = { url: string; plan_name: string | null; expires_at: string | null }

const columns =
  `id, status, current_period_end, trial_end, cancel_at_period_end, is_gift, access_until, price_cents, interval_count,
  paused_from, paused_until, billing_paused_until,
  creator:profiles!creator_id(${bylineColumns}),
  moves:price_moves(to_cents, moves_at),
  offer:offer_uses(percent_off, until),
  plan:subscription_products!tier_id(name, interval)` as const

/** A user's current and past subscriptions, latest first (D29). A checkout that was never paid isn't one. */
export const mySubscriptionsQuery = (viewerId: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey, viewerId, 'all'],
    queryFn: async ({ signal }): Promise<MySubscription[]> => {
      const [subscriptions, confirmations] = await Promise.all([
        supabase
          .from('subscriptions')
          .select(columns)
          .eq('subscriber_id', viewerId)
          .is('moves.done_at', null)
          .not('status', 'in', '(incomplete,incomplete_expired)')
          .order('created_at', { ascending: false })
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<Pick<MySubscription, 'status'>[]>(),
        supabase.rpc('get_own_confirmations').abortSignal(signal).throwOnError(),
      ])
      return subscriptions.data.map((subscription) => ({
        ...subscription,
        confirmation: confirmations.data.find(({ subscription_id }) => subscription_id === subscription.id),
      }))
    },
  })

/** The viewer's current or latest subscription to a creator; `null` if there never was one. A checkout that was never paid isn't one. */
export const subscriptionToQuery = (viewerId: string, creatorId: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey, viewerId, creatorId, 'latest'],
    queryFn: async ({ signal }): Promise<MySubscription | null> => {
      const { data } = await supabase
        .from('subscriptions')
        .select(columns)
        .eq('subscriber_id', viewerId)
        .eq('creator_id', creatorId)
        .is('moves.done_at', null)
        .not('status', 'in', '(incomplete,incomplete_expired)')
        .order('access_until', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Pick<MySubscription, 'status'>[]>()
      return data[0] ?? null
    },
  })

/** In milliseconds. `-infinity` and other invalid dates are `NaN`: there was never access. */
export const closesAt = (accessUntil: string): number =>
  accessUntil === 'infinity' ? Number.POSITIVE_INFINITY : Date.parse(accessUntil)

/** There is no access, and Stripe bills nothing. */
export function isOver(
  { status, access_until }: Pick<MySubscription, 'status' | 'access_until'>,
  now: Date = new Date(),
): boolean {
  return !(closesAt(access_until) > now.getTime()) && !['past_due', 'unpaid', 'paused'].includes(status)
}
