import type { Interval } from '@ovation/contract/limits'
import type { promotionTexts } from '@ovation/contract/texts/promotion-codes'
import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import { supabase } from '../../lib/api/supabase.ts'
import type { PlanTerm } from '../subscriptions/plan-queries.ts'

export type Product = {
  id: string
  name: string
  description: string | null
  price_cents: number
  interval: Interval
  trial_days: number
  is_active: boolean
  benefits: string[]
  is_popular: boolean
  terms: PlanTerm[]
}

/** All of a creator's plans, including deactivated ones, in the order in which fans see them (API-REST-18, LOOP-15). */
export const productsQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['subscription-products', creatorId],
    queryFn: async ({ signal }): Promise<Product[]> => {
      const { data } = await supabase
        .from('subscription_products')
        .select(
          'id, name, description, price_cents, interval, trial_days, is_active, benefits, is_popular, terms:plan_terms(months, percent_off, price_cents)',
        )
        .eq('creator_id', creatorId)
        .order('position')
        .order('price_cents')
        .order('months', { referencedTable: 'terms' })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The number of subscribers of each plan, by id. Deactivated plans keep theirs. */
export const planSubscribersQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['plan-subscribers', creatorId],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const { data } = await supabase
        .rpc('get_plan_subscribers', { creator_profile_id: creatorId })
        .abortSignal(signal)
        .throwOnError()
      return new Map(data.map(({ product_id, subscribers }) => [product_id, subscribers]))
    },
  })

export type EarlierPrices = { subscribers: number; moving: number; moves_at: string | null }

export const earlierPricesKey = ['earlier-prices'] as const

/** Of each plan whose subscribers don't all pay its present price, how many do not, and how many are being moved (OFFER-08). */
export const earlierPricesQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...earlierPricesKey, creatorId],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, EarlierPrices>> => {
      const { data } = await supabase
        .rpc('get_earlier_prices', { creator_profile_id: creatorId })
        .abortSignal(signal)
        .throwOnError()
      return new Map(data.map(({ product_id, ...prices }) => [product_id, prices]))
    },
  })

/** Whether the creator's account can accept charges (PROD-09). The server checks again when a plan is created. */
export const takesChargesQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['takes-charges', creatorId],
    // It changes elsewhere: at Stripe, or in another tab.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data } = await supabase
        .from('profiles')
        .select('stripe_account_id, stripe_charges_enabled')
        .eq('id', creatorId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return Boolean(data?.stripe_account_id && data.stripe_charges_enabled)
    },
  })

export type Promotion = {
  id: string
  code: string
  percentOff: number | null
  amountOffCents: number | null
  duration: PromotionDuration
  durationMonths: number | null
  expiresAt: string | null
  isActive: boolean
}
export type PromotionDuration = keyof typeof promotionTexts.durations

export const promotionCodesKey = ['promotion-codes'] as const

/** The viewer's own promotion codes, newest first. */
export const promotionCodesQuery = queryOptions({
  queryKey: promotionCodesKey,
  queryFn: async () => (await callFunction<{ promotionCodes: Promotion[] }>('list-promotion-codes')).promotionCodes,
})
