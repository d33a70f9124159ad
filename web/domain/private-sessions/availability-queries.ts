import type { Database } from '@ovation/contract/database'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import type { HourSpan } from './day-hours.ts'

type SlotRow = Database['public']['Tables']['session_slots']['Row']
export type Slot = Pick<SlotRow, 'id' | 'offer_id' | 'starts_at' | 'ends_at' | 'held_until'>

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
