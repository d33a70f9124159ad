import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

const pageSize = 20
type Cursor = { created_at: string; id: string }

const nextAfter = <Row extends Cursor>(page: Row[]): Cursor | undefined => {
  const last = page.at(-1)
  return page.length < pageSize || !last ? undefined : { created_at: last.created_at, id: last.id }
}
const pageAt = (cursor: Cursor | undefined) => ({
  page_size: pageSize,
  ...(cursor && { before: cursor.created_at, before_id: cursor.id }),
})

/** A gift as someone with its link sees it. `state` is about the viewer, as in the comment on public.gift_view. */
export type Gift = {
  state: string
  plan_name: string
  months: number
  creator_username: string
  creator_name: string | null
  creator_avatar_url: string | null
  creator_updated_at: string
  giver_name: string | null
  message: string | null
  expires_at: string
}

export const giftKey = ['gift'] as const

/** The gift with this code; `null` if there is none (OFFER-02). */
export const giftQuery = (code: string) =>
  queryOptions({
    queryKey: [...giftKey, code],
    queryFn: async ({ signal }): Promise<Gift | null> => {
      const { data } = await supabase.rpc('get_gift', { code }).abortSignal(signal).throwOnError()
      return (data[0] as Gift | undefined) ?? null
    },
  })

export type GivenGift = {
  id: string
  plan_name: string
  creator_username: string
  creator_name: string | null
  recipient: string | null
  recipient_email: string | null
  months: number
  amount_cents: number
  state: string
  sent_at: string | null
  /** When it is delivered next; null when there is nothing to send. */
  sends_at: string | null
  expires_at: string
  redeemed_at: string | null
  created_at: string
  /** The secret of the link; null unless it can be redeemed. */
  code: string | null
}

export const givenGiftsKey = ['given-gifts'] as const

/** The gifts that the viewer has paid for, newest first. */
export const givenGiftsQuery = () =>
  infiniteQueryOptions({
    queryKey: givenGiftsKey,
    queryFn: async ({ pageParam, signal }): Promise<GivenGift[]> => {
      const { data } = await supabase
        .rpc('get_given_gifts', pageAt(pageParam), { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as GivenGift[]
    },
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: nextAfter,
  })

export type GiftBatch = {
  id: string
  plan_name: string
  months: number
  codes: number
  redeemed: number
  /** `"2026-03-04"`, in UTC. */
  last_day: string
  created_at: string
}

export const giftBatchesKey = ['gift-batches'] as const

/** The viewer's free codes by batch, newest first (OFFER-03). */
export const giftBatchesQuery = () =>
  infiniteQueryOptions({
    queryKey: giftBatchesKey,
    queryFn: async ({ pageParam, signal }): Promise<GiftBatch[]> => {
      const { data } = await supabase
        .rpc('get_gift_batches', pageAt(pageParam), { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as GiftBatch[]
    },
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: nextAfter,
  })

export type GiftCode = { code: string; state: string; redeemed_at: string | null }

/** The codes of a batch. Not a query that is kept: they are read for a download only. */
export async function readGiftCodes(batchId: string): Promise<GiftCode[]> {
  const { data } = await supabase.rpc('get_gift_codes', { batch_id: batchId }).throwOnError()
  return data as GiftCode[]
}
