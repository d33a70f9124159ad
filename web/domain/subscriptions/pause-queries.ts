import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { subscriptionsKey } from './plan-queries.ts'

export const pausesKey = ['pauses'] as const

export type BillingPause = { months: number; resumes_at: string }

/** The creator's pause of billing; `null` if nobody's billing is paused (OFFER-09). */
export const billingPauseQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...pausesKey, 'billing', creatorId],
    queryFn: async ({ signal }): Promise<BillingPause | null> => {
      const { data } = await supabase
        .from('billing_pauses')
        .select('months, resumes_at')
        .eq('creator_id', creatorId)
        .is('ended_at', null)
        .gt('resumes_at', new Date().toISOString())
        .limit(1)
        .abortSignal(signal)
        .throwOnError()
      return data[0] ?? null
    },
  })

/** Whether the creator's subscribers may pause instead of canceling (OFFER-10). */
export const fansMayPauseQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...pausesKey, 'settings', creatorId],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data } = await supabase
        .from('pause_settings')
        .select('fans_may_pause')
        .eq('creator_id', creatorId)
        .limit(1)
        .abortSignal(signal)
        .throwOnError()
      return data[0]?.fans_may_pause === true
    },
  })

/** Whether the viewer has paused their subscription to the creator, which gives no access meanwhile (OFFER-10). */
export const ownPauseQuery = (viewerId: string, creatorId: string) =>
  queryOptions({
    queryKey: [...subscriptionsKey, viewerId, creatorId, 'pause'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data } = await supabase
        .from('subscriptions')
        .select('id')
        .eq('subscriber_id', viewerId)
        .eq('creator_id', creatorId)
        .in('status', ['paused', 'past_due'])
        .lte('paused_from', new Date().toISOString())
        .limit(1)
        .abortSignal(signal)
        .throwOnError()
      return data.length > 0
    },
  })
