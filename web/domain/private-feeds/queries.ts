import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/** The secret part of a private feed's address, and whether the feed was paused for being read in too many places (RSS-02). */
export type FeedAddress = { token: string; is_paused: boolean }

/** The viewer's private feed of a creator. Forgotten when the dialog closes, because it is a secret. */
export const feedAddressQuery = (viewerId: string, creatorId: string) =>
  queryOptions({
    queryKey: ['feed-address', viewerId, creatorId],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<FeedAddress> => {
      const { data } = await supabase
        .rpc('get_feed_address', { creator_profile_id: creatorId })
        .abortSignal(signal)
        .throwOnError()
      return data as FeedAddress
    },
  })

/** Replaces the address. The one before stops working. */
export async function renewFeedAddress(creatorId: string): Promise<FeedAddress> {
  const { data } = await supabase.rpc('renew_feed_address', { creator_profile_id: creatorId }).throwOnError()
  return data as FeedAddress
}
