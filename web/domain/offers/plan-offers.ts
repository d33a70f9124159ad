import type { creatorOfferTexts } from '@ovation/contract/texts/creator-offers'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { useViewer } from '../../lib/auth/viewer.ts'

/** What a plan costs the viewer with an offer, for one of its terms (OFFER-04). */
export type PlanOffer = {
  plan_id: string
  /** 1, or the months of a term. */
  interval_count: number
  percent_off: number
  /** How many periods cost `offer_cents`. */
  periods: number
  price_cents: number
  offer_cents: number
  ends_at: string | null
  places_left: number | null
}

export type OfferAudience = keyof typeof creatorOfferTexts.audiences

export const planOffersKey = ['plan-offers'] as const

const planOffersQuery = (viewerId: string | undefined, creatorId: string) =>
  queryOptions({
    queryKey: [...planOffersKey, viewerId ?? null, creatorId],
    queryFn: async ({ signal }): Promise<PlanOffer[]> => {
      const { data } = await supabase
        .rpc('get_offers', { creator_profile_id: creatorId }, { get: true })
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<PlanOffer[], { merge: false }>()
      return data
    },
  })

/**
 * @param isOpen whether the viewer could subscribe to the creator, or is the creator.
 * @returns the offer of a plan for a term. If offers can't be read, checkout still applies them.
 */
export function usePlanOffers(creatorId: string, isOpen: boolean) {
  const viewer = useViewer()
  const { data, isLoading } = useQuery({
    ...planOffersQuery(viewer?.profileId, creatorId),
    enabled: isOpen && viewer !== undefined && creatorId !== '',
  })
  return {
    isLoading,
    offerOf: (planId: string, intervalCount = 1): PlanOffer | undefined =>
      data?.find((offer) => offer.plan_id === planId && offer.interval_count === intervalCount),
  }
}
