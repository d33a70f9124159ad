import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../lib/functions.ts'
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

/** What stands beside the numbers, for the trends (DASH-13, DASH-14). */
export const growthQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'growth'],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('get_creator_growth', { creator_profile_id: profileId })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The first day of a period that ends today, by the dashboard's clock (UTC). */
const firstDay = (days: number): string => new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)

type Functions = Database['public']['Functions']
export type EarningsDay = Functions['get_earnings_series']['Returns'][number]
export type RevenueShare = Functions['get_revenue_split']['Returns'][number]

/** Earnings of each of the last days, by source, after the fee. */
export const earningsSeriesQuery = (profileId: string, days: number) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'series', days],
    queryFn: async ({ signal }): Promise<EarningsDay[]> => {
      const { data } = await supabase
        .rpc('get_earnings_series', { creator_profile_id: profileId, from_day: firstDay(days) })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The same days as one sum for each source (DASH-12). */
export const revenueSplitQuery = (profileId: string, days: number) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'split', days],
    queryFn: async ({ signal }): Promise<RevenueShare[]> => {
      const { data } = await supabase
        .rpc('get_revenue_split', { creator_profile_id: profileId, from_day: firstDay(days) })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type Balance = {
  earned: number
  balance: number
  paid_out: number
  /** What the provider holds for the creator; null without an account, or while it does not answer. */
  provider: { availableCents: number; pendingCents: number } | null
}

/** The ledger's side and the provider's. The books stand on their own: when the provider is down, they are shown. */
export const balanceQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'balance'],
    queryFn: async ({ signal }): Promise<Balance> => {
      const [books, provider] = await Promise.all([
        supabase.rpc('get_creator_balance', { creator_profile_id: profileId }).abortSignal(signal).throwOnError(),
        callFunction<{ balance: Balance['provider'] }>('get-payout-balance').catch(() => ({ balance: null })),
      ])
      return { ...(books.data as unknown as Omit<Balance, 'provider'>), provider: provider.balance }
    },
  })

/** The latest money that went to the bank. */
export const payoutsQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'payouts'],
    queryFn: async ({ signal }): Promise<Pick<Payment, 'id' | 'amount' | 'created_at'>[]> => {
      const { data } = await supabase
        .from('transactions')
        .select('id, amount, created_at')
        .eq('to_user_id', profileId)
        .eq('transaction_type', 'payout')
        .order('created_at', { ascending: false })
        .limit(12)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type SubscriberGroup = 'all' | 'current' | 'ending' | 'past'
/** A line of the table of subscribers; `spent` in dollars. */
export type SubscriberLine = Functions['get_subscribers']['Returns'][number]

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

/** The subscribers of a group whose name matches, newest first. */
export const subscriberTableQuery = (profileId: string, search: string, group: SubscriberGroup) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'subscribers', group, search],
    initialPageParam: undefined as SubscriberLine | undefined,
    getNextPageParam: (last: SubscriberLine[]) => (last.length < pageSize ? undefined : last.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<SubscriberLine[]> => {
      const { data } = await subscriberPage(profileId, search, group, pageSize, pageParam)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** All of them, a thousand at a time. @param onCount how many have come so far. */
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

export type PostFigures = Functions['get_post_figures']['Returns'][number]

/** What these posts brought, by id. */
export const postFiguresQuery = (profileId: string, ids: string[]) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'figures', ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Record<string, PostFigures>> => {
      const pages = Array.from({ length: Math.ceil(ids.length / 100) }, (_page, page) =>
        ids.slice(page * 100, page * 100 + 100),
      )
      const answers = await Promise.all(
        pages.map((post_ids) => supabase.rpc('get_post_figures', { post_ids }).abortSignal(signal).throwOnError()),
      )
      return Object.fromEntries(answers.flatMap(({ data }) => data.map((figures) => [figures.id, figures])))
    },
  })
