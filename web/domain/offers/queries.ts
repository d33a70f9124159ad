import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import type { OfferAudience } from './plan-offers.ts'

export type Offer = {
  id: string
  percent_off: number
  periods: number
  audience: OfferAudience
  is_for_all_plans: boolean
  ends_at: string | null
  user_limit: number | null
  ended_at: string | null
  /** How many users have subscribed with it. */
  offers_used: number
  plans: { plan: { name: string } | null }[]
}

export const offersKey = ['offers'] as const

/** The viewer's own offers, newest first. */
export const offersQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...offersKey, creatorId],
    queryFn: async ({ signal }): Promise<Offer[]> => {
      const { data } = await supabase
        .from('offers')
        .select(
          'id, percent_off, periods, audience, is_for_all_plans, ends_at, user_limit, ended_at, offers_used, plans:offer_plans(plan:subscription_products(name))',
        )
        .eq('creator_id', creatorId)
        .order('created_at', { ascending: false })
        .limit(200)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Offer[], { merge: false }>()
      return data
    },
  })

/** Why fans can no longer take an offer; null while they can. */
export function overBecause(
  { ended_at, ends_at, user_limit, offers_used }: Offer,
  now = Date.now(),
): 'ended' | 'expired' | 'used' | null {
  if (ended_at !== null) return 'ended'
  if (ends_at !== null && Date.parse(ends_at) <= now) return 'expired'
  return user_limit !== null && offers_used >= user_limit ? 'used' : null
}
