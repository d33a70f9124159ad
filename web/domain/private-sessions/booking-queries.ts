import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

type Tables = Database['public']['Tables']

/** The other participant, as shown. */
export type Party = {
  id: string
  user_id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  updated_at: string
}
const party = 'id, user_id, username, display_name, avatar_url, updated_at'

export type Booking = Pick<
  Tables['session_bookings']['Row'],
  | 'id'
  | 'title'
  | 'state'
  | 'price_cents'
  | 'starts_at'
  | 'ends_at'
  | 'hold_expires_at'
  | 'refund_status'
  | 'reason'
  | 'creator_id'
  | 'fan_id'
> & { creator: Party | null; fan: Party | null }
const bookingColumns =
  `id, title, state, price_cents, starts_at, ends_at, hold_expires_at, refund_status, reason, creator_id, fan_id,
  creator:profiles!creator_id(${party}), fan:profiles!fan_id(${party})` as const

/** `refreshPaid` invalidates this key, because a payment creates a booking. */
export const bookingsKey = ['bookings'] as const
const pageSize = 20

/** The viewer's bookings, as fan and as creator. A creator doesn't see unpaid ones. */
const bookingsOf = (profileId: string) =>
  supabase
    .from('session_bookings')
    .select(bookingColumns)
    .or(`fan_id.eq.${profileId},and(creator_id.eq.${profileId},paid_at.not.is.null)`)

/** Bookings that are upcoming, awaiting a response, or still to be completed; soonest first. */
export const openBookingsQuery = (profileId: string) =>
  queryOptions({
    queryKey: [...bookingsKey, profileId, 'open'],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Booking[]> => {
      const { data } = await bookingsOf(profileId)
        .in('state', ['pending_payment', 'requested', 'accepted'])
        .order('starts_at')
        .order('id')
        .limit(200)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** Past bookings, latest first, without holds that were never paid. */
export const pastBookingsQuery = (profileId: string) =>
  infiniteQueryOptions({
    queryKey: [...bookingsKey, profileId, 'past'],
    staleTime: 0,
    initialPageParam: 0,
    getNextPageParam: (last: Booking[], pages) => (last.length < pageSize ? undefined : pages.length),
    queryFn: async ({ signal, pageParam }): Promise<Booking[]> => {
      const { data } = await bookingsOf(profileId)
        .in('state', ['declined', 'canceled', 'completed'])
        .not('paid_at', 'is', null)
        .order('starts_at', { ascending: false })
        .order('id')
        .range(pageParam * pageSize, (pageParam + 1) * pageSize - 1)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** One booking; null if the viewer isn't a participant. */
export const bookingQuery = (bookingId: string) =>
  queryOptions({
    queryKey: [...bookingsKey, 'one', bookingId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Booking | null> => {
      const { data } = await supabase
        .from('session_bookings')
        .select(bookingColumns)
        .eq('id', bookingId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })
