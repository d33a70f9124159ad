import type { Interval } from '@ovation/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { type Rung, withRungs } from './plan-ladder.ts'

export const subscriptionsKey = ['subscriptions'] as const

export type Plan = {
  id: string
  name: string
  description: string | null
  price_cents: number
  interval: Interval
  trial_days: number
  /** One short line each (LOOP-15). */
  benefits: string[]
  /** The creator's own mark. */
  is_popular: boolean
  /** The terms of several months for which it is also sold (OFFER-01). */
  terms: PlanTerm[]
} & Rung

export type PlanTerm = { months: number; percent_off: number; price_cents: number }

/** A creator's active plans in the creator's order, and without one cheapest first (API-REST-17, LOOP-15). */
export const plansQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['plans', creatorId],
    queryFn: async ({ signal }): Promise<Plan[]> => {
      const { data } = await supabase
        .from('subscription_products')
        .select(
          `id, name, description, price_cents, interval, trial_days, benefits, is_popular, terms:plan_terms(months, percent_off, price_cents),
          creator:profiles!creator_id(tiered_access)`,
        )
        .eq('creator_id', creatorId)
        .eq('is_active', true)
        .order('position')
        .order('price_cents')
        .order('months', { referencedTable: 'terms' })
        .abortSignal(signal)
        .throwOnError()
      const [first] = data
      return withRungs(
        data.map(({ creator: _creator, ...plan }) => plan),
        first?.creator?.tiered_access === true,
      )
    },
  })

export type CurrentPlan = {
  subscriptionId: string
  planId: string
  /** How many intervals of the plan a period has: 1, or the months of a term. */
  intervalCount: number
  /** What a period costs this viewer, who keeps the price they subscribed at (OFFER-08). */
  priceCents: number
  /** A gift isn't billed, so it can't be switched. */
  isGift: boolean
}

/** The viewer's current plan with a creator; `null` without access. The gate computes `access_until` (SUB-14..SUB-17). */
export const currentPlanQuery = (viewerId: string, creatorId: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey, viewerId, creatorId],
    queryFn: async ({ signal }): Promise<CurrentPlan | null> => {
      const { data } = await supabase
        .from('subscriptions')
        .select('id, tier_id, interval_count, price_cents, is_gift')
        .eq('subscriber_id', viewerId)
        .eq('creator_id', creatorId)
        .gt('access_until', new Date().toISOString())
        .order('access_until', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .throwOnError()
      const [current] = data
      if (!current) return null
      const { id, tier_id, interval_count, price_cents, is_gift } = current
      return {
        subscriptionId: id,
        planId: tier_id,
        intervalCount: interval_count,
        priceCents: price_cents,
        isGift: is_gift,
      }
    },
  })
