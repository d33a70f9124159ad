import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import { type Dated, keysetCursor } from '../../lib/api/keyset-cursor.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { dashboardKey, fresh, lastOf, type Person, pageSize, personColumns } from './query-parts.ts'

type Kind = Database['public']['Tables']['transactions']['Row']['transaction_type']

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
  `id, transaction_type, status, amount, fee_amount, net_amount, created_at, from:profiles!from_user_id(${personColumns})` as const

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
