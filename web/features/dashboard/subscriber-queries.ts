import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { dashboardKey, fresh, lastOf, type Person, pageSize, personColumns } from './query-parts.ts'

type Status = Database['public']['Tables']['subscriptions']['Row']['status']

export type Subscriber = {
  id: string
  status: Status
  created_at: string
  current_period_end: string | null
  cancel_at_period_end: boolean
  subscriber: Person | null
  tier: { name: string } | null
}
const subscriberColumns = `id, status, created_at, current_period_end, cancel_at_period_end,
  subscriber:profiles!subscriber_id(${personColumns}), tier:subscription_products!tier_id(name)` as const

/** The five latest active subscriptions (DASH-10, API-REST-21). */
export const recentSubscribersQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'recent-subscribers'],
    queryFn: async ({ signal }): Promise<Subscriber[]> => {
      const { data } = await supabase
        .from('subscriptions')
        .select(subscriberColumns)
        .eq('creator_id', profileId)
        .eq('status', 'active')
        .order('created_at', { ascending: false })
        .limit(5)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type SubscriberGroup = 'all' | 'current' | 'ending' | 'past'
/** A row of the subscriber table; `spent` is in cents. */
export type SubscriberLine = Database['public']['Functions']['get_subscribers']['Returns'][number]

const subscriberPage = (
  profileId: string,
  search: string,
  group: SubscriberGroup,
  size: number,
  last?: SubscriberLine,
) =>
  supabase.rpc('get_subscribers', {
    creator_profile_id: profileId,
    subscriber_group: group,
    page_size: size,
    ...(search && { search }),
    ...(last && { before: last.created_at as string, before_id: last.subscription_id as string }),
  })

/** The subscribers of a group whose names match, newest first. */
export const subscriberTableQuery = (profileId: string, search: string, group: SubscriberGroup) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'subscribers', group, search],
    initialPageParam: undefined as SubscriberLine | undefined,
    getNextPageParam: lastOf(pageSize),
    queryFn: async ({ signal, pageParam }): Promise<SubscriberLine[]> => {
      const { data } = await subscriberPage(profileId, search, group, pageSize, pageParam)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** Reads all of them, a thousand at a time. @param onCount called with the number read so far. */
export async function readAllSubscribers(
  profileId: string,
  search: string,
  group: SubscriberGroup,
  onCount: (count: number) => void,
): Promise<SubscriberLine[]> {
  const size = 1_000
  const all: SubscriberLine[] = []
  for (;;) {
    const { data } = await subscriberPage(profileId, search, group, size, all.at(-1)).throwOnError()
    all.push(...data)
    onCount(all.length)
    if (data.length < size) return all
  }
}
