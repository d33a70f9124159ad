import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { supabase } from '../../../lib/api/supabase.ts'

export type ListedPayment = Database['public']['CompositeTypes']['listed_payment']
const pageSize = 25

export const foundPaymentsKey = ['found-payments'] as const

/** Payments and refunds of the users whose username, name, or email contains `search`, newest first (LOOP-24). */
export const foundPaymentsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...foundPaymentsKey, search],
    staleTime: 0,
    initialPageParam: undefined as ListedPayment | undefined,
    getNextPageParam: (page: ListedPayment[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<ListedPayment[]> => {
      const { data } = await supabase
        .rpc('get_payments', {
          page_size: pageSize,
          ...(search && { search }),
          ...(pageParam && { before: pageParam.created_at, before_id: pageParam.id }),
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
