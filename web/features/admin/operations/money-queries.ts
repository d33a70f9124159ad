import type { Database } from '@ovation/contract/database'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../../lib/api/supabase.ts'

type Composites = Database['public']['CompositeTypes']
export type PaymentDifference = Composites['payment_difference']

export const differencesKey = ['payment-differences'] as const

/** `days` days in UTC: the last ones, including today, or those before a number of later days. */
function spanOf(days: number, later = 0): { first_day: string; last_day: string } {
  const last = new Date()
  last.setUTCDate(last.getUTCDate() - later)
  const first = new Date(last)
  first.setUTCDate(first.getUTCDate() - days + 1)
  const name = (date: Date) => date.toISOString().slice(0, 10)
  return { first_day: name(first), last_day: name(last) }
}

/** The revenue of all creators in the last `days` days, or in those before a number of later days (GEN-05). */
export const moneyQuery = (days: number, later = 0) =>
  queryOptions({
    queryKey: ['money', 'overview', days, later],
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_money_overview', spanOf(days, later)).abortSignal(signal).throwOnError()
      return data as Composites['money_overview']
    },
  })

export const moneySeriesQuery = (days: number) =>
  queryOptions({
    queryKey: ['money', 'series', days],
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_money_series', spanOf(days)).abortSignal(signal).throwOnError()
      return data
    },
  })

/** A separate query, because it adds up the whole ledger. */
export const balancesQuery = () =>
  queryOptions({
    queryKey: ['money', 'balances'],
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_platform_balances').abortSignal(signal).throwOnError()
      return data as Composites['platform_balances']
    },
  })

/** Unresolved differences between the ledger and the payment provider. */
export const differencesQuery = () =>
  queryOptions({
    queryKey: differencesKey,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_payment_differences').abortSignal(signal).throwOnError()
      return data
    },
  })
