import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type SpendingKind = 'subscription' | 'ppv' | 'tip' | 'paid_message' | 'private_session' | 'gift' | 'product'

/** What the viewer, a creator, sees of one fan. Amounts are in cents. */
export type FanSheet = {
  profile_id: string
  username: string
  display_name: string | null
  avatar_url: string | null
  updated_at: string
  /** Null if the fan hides it (SET-19). */
  last_seen_at: string | null
  followed_at: string | null
  /** Null for a fan who has never subscribed. */
  plan_name: string | null
  subscription_status: 'active' | 'trial' | 'past_due' | 'canceled' | 'unpaid' | 'paused' | null
  subscribed_at: string | null
  /** When the subscription is renewed, ends, or ended; null while it isn't paid. */
  runs_until: string | null
  cancel_at_period_end: boolean | null
  spent: number
  spent_in_30_days: number
  spent_by_type: Partial<Record<SpendingKind, number>>
  purchases: number
  paid_messages: number
  unlocked_messages: number
  /** The name of the link by which the fan came; null for none. */
  came_by: string | null
}

export type FanNotes = { custom_name: string | null; tags: string[]; note: string | null }

const noNotes: FanNotes = { custom_name: null, tags: [], note: null }

/** `null` for a fan who is gone. */
export const fanSheetQuery = (viewerId: string, fanId: string) =>
  queryOptions({
    queryKey: ['fan-sheet', viewerId, fanId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<FanSheet | null> => {
      const { data } = await supabase
        .rpc('get_fan_sheet', { fan_profile_id: fanId }, { get: true })
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data as FanSheet | null
    },
  })

export const fanNotesQuery = (viewerId: string, fanId: string) =>
  queryOptions({
    queryKey: ['fan-notes', viewerId, fanId],
    queryFn: async ({ signal }): Promise<FanNotes> => {
      const { data } = await supabase
        .from('fan_notes')
        .select('custom_name, tags, note')
        .eq('creator_id', viewerId)
        .eq('fan_id', fanId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data ?? noNotes
    },
  })
