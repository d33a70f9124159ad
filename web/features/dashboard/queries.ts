import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { MediaPreview } from '../../domain/posts/queries.ts'
import { callFunction } from '../../lib/api/functions.ts'
import { type Dated, keysetCursor } from '../../lib/api/keyset-cursor.ts'
import { supabase } from '../../lib/api/supabase.ts'

type Tables = Database['public']['Tables']
type Status = Tables['subscriptions']['Row']['status']
type Kind = Tables['transactions']['Row']['transaction_type']

/** The key of everything on the dashboard, because one change can affect all of it. */
export const dashboardKey = (profileId: string) => ['dashboard', profileId] as const

/** Refetched whenever the screen opens, because creators come for recent events. */
const fresh = { staleTime: 0 }
export const pageSize = 50
const nextPage = (last: unknown[], pages: unknown[][]) => (last.length < pageSize ? undefined : pages.length)
const rangeOf = (page: number): [number, number] => [page * pageSize, (page + 1) * pageSize - 1]

/** Another user in a list. */
export type Person = {
  user_id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  updated_at: string
}
const person = 'user_id, username, display_name, avatar_url, updated_at'

/** DATA-32; earnings in cents, after the fee. */
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
  subscriber:profiles!subscriber_id(${person}), tier:subscription_products!tier_id(name)` as const

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

export type Payment = {
  id: string
  transaction_type: Kind
  status: string
  /** In cents: the gross amount, the platform's fee, and the creator's net. */
  amount: number
  fee_amount: number
  net_amount: number
  created_at: string
  /** Null if that account was deleted. */
  from: Person | null
}
const paymentColumns =
  `id, transaction_type, status, amount, fee_amount, net_amount, created_at, from:profiles!from_user_id(${person})` as const

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
      return data
    },
  })

/** Keyset pagination by the previous page's last row, so that late pages cost no more than the first. */
const lastOf =
  (size: number) =>
  <Row>(page: Row[]): Row | undefined =>
    page.length < size ? undefined : page.at(-1)

/** The creator's payments and refunds, newest first. Payouts have a list of their own. */
export const paymentsQuery = (profileId: string) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'payments'],
    initialPageParam: undefined as Dated | undefined,
    getNextPageParam: lastOf(pageSize),
    queryFn: async ({ signal, pageParam }): Promise<Payment[]> => {
      const payments = supabase
        .from('transactions')
        .select(paymentColumns)
        .eq('to_user_id', profileId)
        .neq('transaction_type', 'payout')
      // The first condition uses the index; the second breaks ties.
      const rest = pageParam ? payments.lte('created_at', pageParam.created_at).or(keysetCursor(pageParam)) : payments
      const { data } = await rest
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(pageSize)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type Totals = { payments: number; gross: number; fee: number; net: number }

/** The sums of all payments, in cents, however many have loaded. */
export const totalsQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'totals'],
    queryFn: async ({ signal }): Promise<Totals> => {
      const { data } = await supabase
        .rpc('get_earnings_totals', { creator_profile_id: profileId })
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Totals>()
      return data
    },
  })

export type Activity = { id: string; title: string; message: string; created_at: string }

/** The creator's five latest notifications (DASH-10), without broadcasts by admins. */
export const activityQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'activity'],
    queryFn: async ({ signal }): Promise<Activity[]> => {
      const { data } = await supabase
        .from('notifications')
        .select('id, title, message, created_at')
        .eq('user_id', profileId)
        .not('type', 'in', '(poll,announcement)')
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
  media_urls: string[]
  media_types: ('image' | 'video')[]
  /** One for each file. */
  media_previews: Pick<MediaPreview, 'captions' | 'focus' | 'preview'>[]
  /** The free cover (LOOP-14). */
  cover_path: string | null
  likes_count: number
  comments_count: number
  is_pinned: boolean
  created_at: string
  /** The post's figures. Undefined if only they couldn't be read: the post's actions still work. */
  figures?: PostFigures
}
const postColumns =
  'id, title, content, post_type, media_count, media_urls, media_types, media_previews, cover_path, likes_count, comments_count, is_pinned, created_at'

export type PostFigures = Database['public']['Functions']['get_post_figures']['Returns'][number]

async function withFigures(posts: OwnPost[], signal: AbortSignal): Promise<OwnPost[]> {
  if (posts.length === 0) return posts
  const { data } = await supabase.rpc('get_post_figures', { post_ids: posts.map(({ id }) => id) }).abortSignal(signal)
  return posts.map((post) => {
    const figures = data?.find(({ id }) => id === post.id)
    return figures ? { ...post, figures } : post
  })
}

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
        .overrideTypes<Pick<OwnPost, 'media_previews'>[]>()
      return withFigures(data, signal)
    },
  })

/** All of the creator's posts, newest first. */
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
        .overrideTypes<Pick<OwnPost, 'media_previews'>[]>()
      return withFigures(data, signal)
    },
  })

/** The change of each number, for the trends (DASH-13, DASH-14). */
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

/** The first day, in UTC, of a period that ends today. */
const firstDay = (days: number): string => new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)

type Functions = Database['public']['Functions']
export type EarningsDay = Functions['get_earnings_series']['Returns'][number]
export type RevenueShare = Functions['get_revenue_split']['Returns'][number]

/** Daily earnings by source, after the fee. */
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

/** The same period, totaled by source (DASH-12). */
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
  /** The balance at the provider; null without an account, or if the provider doesn't respond. */
  provider: { availableCents: number; pendingCents: number } | null
}

/** The balance in our ledger and at the provider. If the provider is down, the ledger's still shows. */
export const balanceQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'balance'],
    queryFn: async ({ signal }): Promise<Balance> => {
      const [books, provider] = await Promise.all([
        supabase
          .rpc('get_creator_balance', { creator_profile_id: profileId })
          .abortSignal(signal)
          .throwOnError()
          .overrideTypes<Omit<Balance, 'provider'>>(),
        callFunction<{ balance: Balance['provider'] }>('get-payout-balance').catch(() => ({ balance: null })),
      ])
      return { ...books.data, provider: provider.balance }
    },
  })

const payoutsEach = 12

/** Payouts to the bank, newest first. */
export const payoutsQuery = (profileId: string) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'payouts'],
    initialPageParam: undefined as Dated | undefined,
    getNextPageParam: lastOf(payoutsEach),
    queryFn: async ({ signal, pageParam }): Promise<Pick<Payment, 'id' | 'amount' | 'created_at'>[]> => {
      const payouts = supabase
        .from('transactions')
        .select('id, amount, created_at')
        .eq('to_user_id', profileId)
        .eq('transaction_type', 'payout')
      const rest = pageParam ? payouts.lte('created_at', pageParam.created_at).or(keysetCursor(pageParam)) : payouts
      const { data } = await rest
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(payoutsEach)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type SubscriberGroup = 'all' | 'current' | 'ending' | 'past'
/** A row of the subscriber table; `spent` is in cents. */
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
