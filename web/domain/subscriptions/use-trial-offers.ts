import { queryOptions, useQuery } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { openedLinks } from '../../lib/auth/opened-links.ts'
import { useViewer } from '../../lib/auth/viewer.ts'

/** The free days of a creator's plans by links that the viewer has opened, by the plan's id (LINK-03). */
const trialOffersQuery = (viewerId: string | undefined, creatorId: string) =>
  queryOptions({
    queryKey: ['trial-offers', viewerId ?? null, creatorId],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const { data } = await supabase
        .rpc('get_trial_offers', { creator_profile_id: creatorId, visits: openedLinks() }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return new Map(data.flatMap(({ plan_id, trial_days }) => (plan_id && trial_days ? [[plan_id, trial_days]] : [])))
    },
  })

/**
 * @param isOpen whether the viewer could subscribe to the creator. Visitors who have opened no link have no offer.
 * @returns what gives a plan its free days by a link, if they are more than its own. If they can't be read, checkout still gives them.
 */
export function useTrialOffers(creatorId: string, isOpen: boolean) {
  const viewer = useViewer()
  const { data } = useQuery({
    ...trialOffersQuery(viewer?.profileId, creatorId),
    enabled: isOpen && viewer !== undefined && (viewer !== null || openedLinks() !== ''),
  })
  return <Plan extends { id: string; trial_days: number }>(plan: Plan): Plan => {
    const days = data?.get(plan.id) ?? 0
    return days > plan.trial_days ? { ...plan, trial_days: days } : plan
  }
}
