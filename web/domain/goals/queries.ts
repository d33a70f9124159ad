import { goalResultDays } from '@ovation/contract/limits'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { keysetCursor } from '../../lib/api/keyset-cursor.ts'
import { supabase } from '../../lib/api/supabase.ts'

export type Goal = {
  id: string
  title: string
  description: string | null
  /** In bucket `covers`. */
  cover_path: string | null
  kind: 'money' | 'subscribers'
  /** Cents, or subscribers. */
  target: number
  progress: number
  /** What it was when the goal was closed; null before. Refunds after that only change `progress`. */
  closed_progress: number | null
  refunds_if_missed: boolean
  status: 'open' | 'reached' | 'missed' | 'removed'
  ends_at: string
  closed_at: string | null
  created_at: string
}

const columns =
  'id, title, description, cover_path, kind, target, progress, closed_progress, refunds_if_missed, status, ends_at, closed_at, created_at'

export const goalsKey = ['goals'] as const
/** Three are open, and a creator rarely ends more in two weeks. */
const shownMost = 12
const pageSize = 24

/** The goals that a profile shows, newest first: those that are open, and the results of the last two weeks (OFFER-07). */
export const goalsQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...goalsKey, creatorId],
    queryFn: async ({ signal }): Promise<Goal[]> => {
      const { data } = await supabase
        .from('goals')
        .select(columns)
        .eq('creator_id', creatorId)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(shownMost)
        .abortSignal(signal)
        .throwOnError()
      return (data as Goal[]).filter(isShown)
    },
  })

/** All goals of the creator, newest first. */
export const ownGoalsQuery = (creatorId: string) =>
  infiniteQueryOptions({
    queryKey: [...goalsKey, 'own', creatorId],
    initialPageParam: null as Goal | null,
    getNextPageParam: (page: Goal[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<Goal[]> => {
      let query = supabase.from('goals').select(columns).eq('creator_id', creatorId)
      if (last) query = query.or(keysetCursor(last))
      const { data } = await query
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(pageSize)
        .abortSignal(signal)
        .throwOnError()
      return data as Goal[]
    },
  })

/** Contributors and the creator can read results for longer. */
const isShown = ({ status, closed_at }: Goal): boolean =>
  status !== 'removed' && (closed_at === null || Date.now() - Date.parse(closed_at) < goalResultDays * 86_400_000)

export const isTippable = ({ kind, closed_at, ends_at }: Goal): boolean =>
  kind === 'money' && closed_at === null && Date.parse(ends_at) > Date.now()
