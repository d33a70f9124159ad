import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { MediaPreview } from '../../domain/posts/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { dashboardKey, fresh, pageSize } from './query-parts.ts'

const nextPage = (last: unknown[], pages: unknown[][]) => (last.length < pageSize ? undefined : pages.length)
const rangeOf = (page: number): [number, number] => [page * pageSize, (page + 1) * pageSize - 1]

export type OwnPost = {
  id: string
  title: string | null
  content: string | null
  post_type: 'free' | 'subscription' | 'ppv'
  media_count: number
  media_urls: string[]
  media_types: ('image' | 'video')[]
  /** One for each file. */
  media_previews: Pick<MediaPreview, 'captions' | 'focus' | 'preview'>[]
  /** The free cover (LOOP-14). */
  cover_path: string | null
  likes_count: number
  comments_count: number
  is_pinned: boolean
  created_at: string
  /** The post's figures. Undefined if only they couldn't be read: the post's actions still work. */
  figures?: PostFigures
}
const postColumns =
  'id, title, content, post_type, media_count, media_urls, media_types, media_previews, cover_path, likes_count, comments_count, is_pinned, created_at'

export type PostFigures = Database['public']['Functions']['get_post_figures']['Returns'][number]

async function withFigures(posts: OwnPost[], signal: AbortSignal): Promise<OwnPost[]> {
  if (posts.length === 0) return posts
  const { data } = await supabase.rpc('get_post_figures', { post_ids: posts.map(({ id }) => id) }).abortSignal(signal)
  return posts.map((post) => {
    const figures = data?.find(({ id }) => id === post.id)
    return figures ? { ...post, figures } : post
  })
}

/** The titles of the creator's latest posts, to choose one of them. */
export const ownPostTitlesQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'post-titles'],
    queryFn: async ({ signal }): Promise<{ id: string; title: string | null }[]> => {
      const { data } = await supabase
        .from('posts')
        .select('id, title')
        .eq('creator_id', profileId)
        .order('created_at', { ascending: false })
        .limit(100)
        .abortSignal(signal)
        .throwOnError()
      return data as { id: string; title: string | null }[]
    },
  })

/** The titles of the creator's products that are for sale, the newest first, to choose one of them. */
export const productsForSaleQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'products-for-sale'],
    queryFn: async ({ signal }): Promise<{ id: string; title: string }[]> => {
      const { data } = await supabase
        .from('products')
        .select('id, title')
        .eq('creator_id', profileId)
        .eq('status', 'published')
        .order('created_at', { ascending: false })
        .limit(500)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The ten latest posts (DASH-10, API-REST-24). */
export const recentPostsQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'recent-posts'],
    queryFn: async ({ signal }): Promise<OwnPost[]> => {
      const { data } = await supabase
        .from('posts')
        .select(postColumns)
        .eq('creator_id', profileId)
        .order('created_at', { ascending: false })
        .limit(10)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Pick<OwnPost, 'media_previews'>[]>()
      return withFigures(data, signal)
    },
  })

/** All of the creator's posts, newest first. */
export const ownPostsQuery = (profileId: string) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'posts'],
    initialPageParam: 0,
    getNextPageParam: nextPage,
    queryFn: async ({ signal, pageParam }): Promise<OwnPost[]> => {
      const { data } = await supabase
        .from('posts')
        .select(postColumns)
        .eq('creator_id', profileId)
        .order('created_at', { ascending: false })
        .order('id')
        .range(...rangeOf(pageParam))
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Pick<OwnPost, 'media_previews'>[]>()
      return withFigures(data, signal)
    },
  })
