import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import type { HourSpan } from './day-hours.ts'

type Tables = Database['public']['Tables']
export type Offer = Tables['session_offers']['Row']
export type Slot = Pick<Tables['session_slots']['Row'], 'id' | 'offer_id' | 'starts_at' | 'ends_at' | 'held_until'>

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

/** Times that can be booked. A booking, a change of the hours, and a removed slot invalidate them. */
export const timesKey = ['session-times'] as const

export type SessionTimes = {
  /** The creator's time zone; null if they have set no hours. */
  zone: string | null
  /** Soonest first. */
  starts: string[]
}

/** When an offer can start. */
export const sessionTimesQuery = (offerId: string) =>
  queryOptions({
    queryKey: [...timesKey, 'of', offerId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<SessionTimes> => {
      const { data } = await supabase.rpc('get_session_times', { offer_id: offerId }).abortSignal(signal).throwOnError()
      return { zone: data.time_zone, starts: data.starts_at }
    },
  })

export type Availability = {
  time_zone: string
  /** By weekday, from Monday. */
  weekly: HourSpan[][]
  buffer_minutes: number
  notice_hours: number
  horizon_days: number
}

/** A creator's own hours; null before they have set any. */
export const availabilityQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['session-availability', creatorId],
    queryFn: async ({ signal }): Promise<Availability | null> => {
      const { data } = await supabase
        .from('session_availability')
        .select('time_zone, weekly, buffer_minutes, notice_hours, horizon_days')
        .eq('creator_id', creatorId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data && { ...data, weekly: data.weekly as unknown as HourSpan[][] }
    },
  })

export type SpecialDay = { day: string; hours: HourSpan[] }

/** A creator's own days with special hours, from `today` on. */
export const specialDaysQuery = (creatorId: string, today: string) =>
  queryOptions({
    queryKey: ['session-days', creatorId, today],
    queryFn: async ({ signal }): Promise<SpecialDay[]> => {
      const { data } = await supabase
        .from('session_days')
        .select('day, hours')
        .eq('creator_id', creatorId)
        .gte('day', today)
        .order('day')
        .limit(400)
        .abortSignal(signal)
        .throwOnError()
      return data.map(({ day, hours }) => ({ day, hours: hours as unknown as HourSpan[] }))
    },
  })

/** The slots that a creator opened one by one, from now on, free or not. */
export const ownSlotsQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...timesKey, 'own', creatorId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Slot[]> => {
      const { data } = await supabase
        .from('session_slots')
        .select('id, offer_id, starts_at, ends_at, held_until')
        .eq('creator_id', creatorId)
        .eq('from_hours', false)
        .gt('starts_at', 'now')
        .order('starts_at')
        .limit(500)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
