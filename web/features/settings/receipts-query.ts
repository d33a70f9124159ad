import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/** Older entries are in the data export. */
const receiptsShown = 100

export type Receipt = {
  id: string
  transaction_type: string
  status: string
  amount: number
  created_at: string
  /** The post that was bought, or that a tip was given on; null for anything else, and after the post was deleted. */
  post_id: string | null
  /** The product that was bought; null as above. */
  bought_product_id: string | null
  /** The goal that a tip was given toward (OFFER-07); null as above. */
  goal?: { title: string } | null
  payee: { user_id: string; username: string | null; display_name: string | null } | null
}

/** The user's latest payments, including refunds (SET-06). */
export const receiptsQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['receipts', profileId],
    queryFn: async ({ signal }): Promise<Receipt[]> => {
      const { data } = await supabase
        .from('transactions')
        .select(
          'id, transaction_type, status, amount, created_at, post_id, bought_product_id, goal:goals(title), payee:profiles!to_user_id(user_id, username, display_name)',
        )
        .eq('from_user_id', profileId)
        .in('transaction_type', ['subscription', 'ppv', 'tip', 'paid_message', 'private_session', 'gift', 'product'])
        .order('created_at', { ascending: false })
        .limit(receiptsShown)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
