import { queryOptions } from '@tanstack/react-query'
import { type Layout, layoutColumns, linkColumns, type ProfileLink } from '../../domain/creators/layout.ts'
import { supabase } from '../../lib/api/supabase.ts'

/** For a creator who has changed nothing. */
export const usualLayout: Layout = {
  accent_color: null,
  featured_post_id: null,
  welcome_text: null,
  welcome_post_id: null,
  tab_order: null,
  shows_subscriber_count: false,
  shows_post_count: false,
}

export const layoutQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['profile-layout', creatorId],
    queryFn: async ({ signal }): Promise<Layout> => {
      const { data } = await supabase
        .from('profile_layouts')
        .select(layoutColumns)
        .eq('creator_id', creatorId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return (data as Layout | null) ?? usualLayout
    },
  })

export const linksQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['profile-links', creatorId],
    queryFn: async ({ signal }): Promise<ProfileLink[]> => {
      const { data } = await supabase
        .from('profile_links')
        .select(linkColumns)
        .eq('creator_id', creatorId)
        .order('position')
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type PostTitle = { id: string; title: string | null; created_at: string }

/** Posts in one list: the newest, or the newest whose title matches. */
export const titlesShown = 30

type Search = {
  /** `videos`: only free posts with a video. */
  kind: 'all' | 'videos'
  /** A part of the title; empty for the newest. */
  title: string
  /** A post that is on the list in any case. */
  chosen: string
}

/** A creator's own posts by title, newest first. */
export const postTitlesQuery = (creatorId: string, { kind, title, chosen }: Search) =>
  queryOptions({
    queryKey: ['post-titles', creatorId, kind, title, chosen],
    queryFn: async ({ signal }): Promise<PostTitle[]> => {
      const own = () => supabase.from('posts').select('id, title, created_at').eq('creator_id', creatorId)
      let found = own()
      if (kind === 'videos') found = found.eq('post_type', 'free').contains('media_types', ['video'])
      if (title) found = found.ilike('title', `%${title.replace(/[\\%_]/g, '\\$&')}%`)
      const { data: posts } = await found
        .order('created_at', { ascending: false })
        .limit(titlesShown)
        .abortSignal(signal)
        .throwOnError()
      if (chosen === '' || posts.some(({ id }) => id === chosen)) return posts
      const { data: more } = await own().eq('id', chosen).abortSignal(signal).throwOnError()
      return [...more, ...posts]
    },
  })
