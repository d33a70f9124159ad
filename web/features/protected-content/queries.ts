import { feedPageSize } from '@ovation/contract/limits'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { MediaPreview } from '../../domain/posts/queries.ts'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { isId } from '../../lib/api/is-id.ts'
import { keysetCursor } from '../../lib/api/keyset-cursor.ts'
import { supabase } from '../../lib/api/supabase.ts'

export const premiumKey = ['premium'] as const

/** The creator with this id, or else the first creator, which in the demo is the first one seeded (PREM-02, D20). */
export const premiumCreatorQuery = (creatorId: string | null) =>
  queryOptions({
    queryKey: [...premiumKey, 'creator', creatorId],
    queryFn: async ({ signal }): Promise<Byline | null> => {
      if (creatorId !== null && !isId(creatorId)) return null
      const profiles = supabase.from('profiles').select(bylineColumns)
      const { data } = await (creatorId === null
        ? profiles.eq('is_verified', true).order('created_at')
        : profiles.eq('id', creatorId)
      )
        .limit(1)
        .abortSignal(signal)
        .throwOnError()
      return data[0] ?? null
    },
  })

export type Status = {
  status: 'active' | 'trial' | 'past_due' | 'canceled' | string
  /** Computed by the gate (SUB-14..SUB-17). */
  has_access: boolean
  /** When access will end, as of now. */
  access_until: string | null
  current_period_end: string | null
}

/** The viewer's subscription to the creator; `null` if there never was one (RPC-05: only the first item is used). */
export const statusQuery = (viewerId: string, creatorId: string) =>
  queryOptions({
    queryKey: [...premiumKey, 'status', viewerId, creatorId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Status | null> => {
      const { data } = await supabase
        .rpc(
          'get_subscription_status',
          { subscriber_profile_id: viewerId, creator_profile_id: creatorId },
          { get: true },
        )
        .abortSignal(signal)
        .throwOnError()
      return data[0] ?? null
    },
  })

export type PremiumPost = {
  id: string
  title: string | null
  content: string | null
  media_urls: string[]
  media_types: ('image' | 'video')[]
  /** One for each file. */
  media_previews: MediaPreview[]
  is_locked: boolean
  created_at: string
}

/** The creator's subscriber posts, newest first. Without access, the server sends neither text nor paths (PREM-05). */
export const premiumPostsQuery = (creatorId: string) =>
  infiniteQueryOptions({
    queryKey: ['posts', 'premium', creatorId],
    initialPageParam: undefined as PremiumPost | undefined,
    getNextPageParam: (page: PremiumPost[]) => (page.length < feedPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<PremiumPost[]> => {
      let posts = supabase
        .from('posts')
        .select('id, title, content, media_urls, media_types, media_previews, is_locked, created_at')
        .eq('creator_id', creatorId)
        .eq('post_type', 'subscription')
      if (last) posts = posts.or(keysetCursor(last))
      const { data } = await posts
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(feedPageSize)
        .abortSignal(signal)
        .throwOnError()
      return data as PremiumPost[]
    },
  })
