import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../../lib/api/supabase.ts'

export type QueuedReport = Database['public']['CompositeTypes']['queued_report']

export const reportsKey = ['reports'] as const
const pageSize = 25

/** Open or settled reports, newest first (D43). */
export const reportsQuery = (settled: boolean) =>
  infiniteQueryOptions({
    queryKey: [...reportsKey, settled],
    staleTime: 0,
    initialPageParam: undefined as QueuedReport | undefined,
    getNextPageParam: (page: QueuedReport[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<QueuedReport[]> => {
      const { data } = await supabase
        .rpc('get_reports', {
          settled,
          page_size: pageSize,
          ...(pageParam && { before: pageParam.created_at, before_id: pageParam.id }),
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The pictures of reported posts, products, stories, and profiles, by what was reported. */
export const reportedPicturesQuery = (reports: readonly QueuedReport[]) => {
  const idsOf = (type: string) =>
    [...new Set(reports.filter(({ target_type }) => target_type === type).map(({ target_id }) => target_id))].toSorted()
  const [postIds, productIds, profileIds, storyIds] = [
    idsOf('post'),
    idsOf('product'),
    idsOf('profile'),
    idsOf('story'),
  ]
  return queryOptions({
    queryKey: ['reported-pictures', postIds, productIds, profileIds, storyIds],
    queryFn: async ({ signal }) => {
      const [posts, products, profiles, stories] = await Promise.all([
        postIds.length === 0
          ? []
          : supabase
              .from('posts')
              .select('id, media_urls, media_types')
              .in('id', postIds)
              .abortSignal(signal)
              .throwOnError()
              .then(({ data }) => data),
        productIds.length === 0
          ? []
          : supabase
              .from('products')
              .select('id, cover_path')
              .in('id', productIds)
              .abortSignal(signal)
              .throwOnError()
              .then(({ data }) => data),
        profileIds.length === 0
          ? []
          : supabase
              .from('profiles')
              .select('id, avatar_url, updated_at')
              .in('id', profileIds)
              .abortSignal(signal)
              .throwOnError()
              .then(({ data }) => data),
        storyIds.length === 0
          ? []
          : supabase
              .from('stories')
              .select('id, path')
              .in('id', storyIds)
              .abortSignal(signal)
              .throwOnError()
              .then(({ data }) => data),
      ])
      return {
        /** Paths in bucket `posts`, by post. */
        posts: new Map(
          posts.flatMap(({ id, media_urls, media_types }) => {
            const image = media_urls.find((_path, index) => media_types[index] === 'image')
            return image ? [[id, image] as const] : []
          }),
        ),
        /** Paths in bucket `covers`, by product. */
        products: new Map(products.map(({ id, cover_path }) => [id, cover_path])),
        /** Paths in bucket `stories`, by story. */
        stories: new Map(stories.map(({ id, path }) => [id, path])),
        profiles: new Map(profiles.map((profile) => [profile.id, profile])),
      }
    },
  })
}
