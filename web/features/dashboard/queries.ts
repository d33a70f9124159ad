import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/supabase.ts'

type Tables = Database['public']['Tables']
type Status = Tables['subscriptions']['Row']['status']
type Kind = Tables['transactions']['Row']['transaction_type']

/** Everything on the dashboard: one change at the creator's account may touch all of it. */
export const dashboardKey = (profileId: string) => ['dashboard', profileId] as const

/** Read anew whenever the screen opens: a creator looks here to see what has just happened. */
const fresh = { staleTime: 0 }
const pageSize = 50
const nextPage = (last: unknown[], pages: unknown[][]) => (last.length < pageSize ? undefined : pages.length)
const rangeOf = (page: number): [number, number] => [page * pageSize, (page + 1) * pageSize - 1]

/** How another person appears in a list. */
export type Person = {
  user_id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  updated_at: string
}
const person = 'user_id, username, display_name, avatar_url, updated_at'

/** DATA-32; earnings in dollars, after the fee. */
export const statsQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'stats'],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('get_creator_stats', { creator_profile_id: profileId })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

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
  subscriber:profiles!subscriber_id(${person}), tier:subscription_products!tier_id(name)`

/** The five latest active ones (DASH-10, API-REST-21). */
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
      return data as unknown as Subscriber[]
    },
  })

/** All of them, whatever has become of them, newest first; without attempts that were never paid. */
export const subscribersQuery = (profileId: string) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'subscribers'],
    initialPageParam: 0,
    getNextPageParam: nextPage,
    queryFn: async ({ signal, pageParam }): Promise<Subscriber[]> => {
      const { data } = await supabase
        .from('subscriptions')
        .select(subscriberColumns)
        .eq('creator_id', profileId)
        .not('status', 'in', '(incomplete,incomplete_expired)')
        .order('created_at', { ascending: false })
        .order('id')
        .range(...rangeOf(pageParam))
        .abortSignal(signal)
        .throwOnError()
      return data as unknown as Subscriber[]
    },
  })

export type Payment = {
  id: string
  transaction_type: Kind
  /** Dollars that were paid, that the platform kept, and that the creator earned. */
  amount: number
  fee_amount: number
  net_amount: number
  created_at: string
  /** Null once that account is deleted. */
  from: Person | null
}
const paymentColumns = `id, transaction_type, amount, fee_amount, net_amount, created_at, from:profiles!from_user_id(${person})`

/** The three latest tips (DASH-10, API-REST-28). */
export const recentTipsQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'recent-tips'],
    queryFn: async ({ signal }): Promise<Payment[]> => {
      const { data } = await supabase
        .from('transactions')
        .select(paymentColumns)
        .eq('to_user_id', profileId)
        .eq('transaction_type', 'tip')
        .eq('status', 'completed')
        .order('created_at', { ascending: false })
        .limit(3)
        .abortSignal(signal)
        .throwOnError()
      return data as unknown as Payment[]
    },
  })

/** What the creator was paid, newest first. */
export const paymentsQuery = (profileId: string) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'payments'],
    initialPageParam: 0,
    getNextPageParam: nextPage,
    queryFn: async ({ signal, pageParam }): Promise<Payment[]> => {
      const { data } = await supabase
        .from('transactions')
        .select(paymentColumns)
        .eq('to_user_id', profileId)
        .order('created_at', { ascending: false })
        .order('id')
        .range(...rangeOf(pageParam))
        .abortSignal(signal)
        .throwOnError()
      return data as unknown as Payment[]
    },
  })

export type Activity = { id: string; title: string; message: string; created_at: string }

/** The five latest things that happened (DASH-10). */
export const activityQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'activity'],
    queryFn: async ({ signal }): Promise<Activity[]> => {
      const { data } = await supabase
        .from('notifications')
        .select('id, title, message, created_at')
        .eq('user_id', profileId)
        .order('created_at', { ascending: false })
        .limit(5)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type OwnPost = {
  id: string
  title: string | null
  content: string | null
  post_type: 'free' | 'subscription' | 'ppv'
  media_count: number
  likes_count: number
  comments_count: number
  is_pinned: boolean
  created_at: string
}
const postColumns = 'id, title, content, post_type, media_count, likes_count, comments_count, is_pinned, created_at'

/** The ten latest posts (DASH-10, API-REST-24). */
export const recentPostsQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'recent-posts'],
    queryFn: async ({ signal }): Promise<OwnPost[]> => {
      const { data } = await supabase
        .from('posts')
        .select(postColumns)
        .eq('creator_id', profileId)
        .order('created_at', { ascending: false })
        .limit(10)
        .abortSignal(signal)
        .throwOnError()
      return data as OwnPost[]
    },
  })

/** All posts of the creator, newest first. */
export const ownPostsQuery = (profileId: string) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'posts'],
    initialPageParam: 0,
    getNextPageParam: nextPage,
    queryFn: async ({ signal, pageParam }): Promise<OwnPost[]> => {
      const { data } = await supabase
        .from('posts')
        .select(postColumns)
        .eq('creator_id', profileId)
        .order('created_at', { ascending: false })
        .order('id')
        .range(...rangeOf(pageParam))
        .abortSignal(signal)
        .throwOnError()
      return data as OwnPost[]
    },
  })
