import type { Database } from '@ovation/contract/database'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type Offer = Database['public']['Tables']['session_offers']['Row']

export const offersKey = (creatorId: string) => ['session-offers', creatorId] as const

/** A creator's offers. Row-level security shows inactive ones only to the creator; `active` leaves them out there too. */
export const offersQuery = (creatorId: string, { active }: { active: boolean }) =>
  queryOptions({
    queryKey: [...offersKey(creatorId), active],
    queryFn: async ({ signal }): Promise<Offer[]> => {
      const offers = supabase.from('session_offers').select('*').eq('creator_id', creatorId)
      const { data } = await (active ? offers.eq('is_active', true) : offers)
        .order('is_active', { ascending: false })
        .order('price_cents')
        .order('id')
        .limit(100)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
