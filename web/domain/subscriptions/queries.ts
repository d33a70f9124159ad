import type { Interval } from '@ovation/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const subscriptionsKey = ['subscriptions'] as const

export type Plan = {
  id: string
  name: string
  description: string | null
  price_cents: number
  interval: Interval
  trial_days: number
}

/** A creator's active plans, cheapest first (API-REST-17). */
export const plansQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['plans', creatorId],
    queryFn: async ({ signal }): Promise<Plan[]> => {
      const { data } = await supabase
        .from('subscription_products')
        .select('id, name, description, price_cents, interval, trial_days')
        .eq('creator_id', creatorId)
        .eq('is_active', true)
        .order('price_cents')
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type CurrentPlan = { subscriptionId: string; planId: string }

/** The viewer's current plan with a creator; `null` without access. The gate computes `access_until` (SUB-14..SUB-17). */
export const currentPlanQuery = (viewerId: string, creatorId: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey, viewerId, creatorId],
    queryFn: async ({ signal }): Promise<CurrentPlan | null> => {
      const { data } = await supabase
        .from('subscriptions')
        .select('id, tier_id')
        .eq('subscriber_id', viewerId)
        .eq('creator_id', creatorId)
        .gt('access_until', new Date().toISOString())
        .order('access_until', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .throwOnError()
      const [current] = data
      return current ? { subscriptionId: current.id, planId: current.tier_id } : null
    },
  })
