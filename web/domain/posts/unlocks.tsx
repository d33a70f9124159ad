import type { Interval } from '@ovation/contract/limits'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useMemo } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { findRepeats } from './find-repeats.ts'
import type { Post } from './queries.ts'

/** The cheapest plan that opens a locked post for the viewer, and what else comes with it. */
export type Unlock = {
  plan_id: string
  plan_name: string
  price_cents: number
  interval: Interval
  /** The trial that the viewer would get; 0 for none. */
  trial_days: number
  /** 100 stands for 100 or more. */
  more_posts: number
  /** The viewer has another plan of the creator. */
  is_subscribed: boolean
}

/** What a locked post for subscribers offers. `unlock` is undefined if no plan opens it. */
export type PostOffer = { unlock: Unlock | undefined; pending: boolean; isRepeated: boolean }

/** By post id. A post that isn't locked has no entry. */
export const PostOffers = createContext<ReadonlyMap<string, PostOffer>>(new Map())

const unlocksQuery = (postIds: string[]) =>
  queryOptions({
    queryKey: ['unlocks', postIds],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, Unlock>> => {
      const { data } = await supabase
        .rpc('get_unlocks', { post_ids: postIds }, { get: true })
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<(Unlock & { post_id: string })[], { merge: false }>()
      return new Map(data.map(({ post_id, ...unlock }) => [post_id, unlock]))
    },
  })

type Props = {
  /** A page of posts. */
  posts: Post[]
  /** The page before, which may end with a run that goes on here. */
  previous?: Post[] | undefined
  children: ReactNode
}

/** What unlocks these posts: one request for all of them (LOOP-14). */
export function Unlocks({ posts, previous, children }: Props) {
  const ids = posts.filter(({ is_locked, post_type }) => is_locked && post_type === 'subscription').map(({ id }) => id)
  const { data: unlocks, isPending } = useQuery({ ...unlocksQuery(ids), enabled: ids.length > 0 })
  const offers = useMemo(() => {
    const repeats = findRepeats(previous ? [...previous, ...posts] : posts, (id) => unlocks?.get(id)?.plan_id)
    return new Map(
      posts.map(({ id }) => [id, { unlock: unlocks?.get(id), pending: isPending, isRepeated: repeats.has(id) }]),
    )
  }, [posts, previous, unlocks, isPending])
  return <PostOffers value={offers}>{children}</PostOffers>
}
