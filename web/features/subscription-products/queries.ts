import type { Interval } from '@ovation/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/supabase.ts'

export type Product = {
  id: string
  name: string
  description: string | null
  price_cents: number
  interval: Interval
  trial_days: number
  is_active: boolean
}

/** All products of a creator, retired ones too, newest first (API-REST-18). */
export const productsQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['subscription-products', creatorId],
    queryFn: async ({ signal }): Promise<Product[]> => {
      const { data } = await supabase
        .from('subscription_products')
        .select('id, name, description, price_cents, interval, trial_days, is_active')
        .eq('creator_id', creatorId)
        .order('created_at', { ascending: false })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** Whether the creator's account takes charges (PROD-09). The server asks again when a product is made. */
export const takesChargesQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['takes-charges', creatorId],
    // It changes elsewhere: at Stripe, in another tab.
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
