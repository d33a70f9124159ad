import type { Category } from '@ovation/contract/limits'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { postColumns } from '../../domain/posts/post-columns.ts'
import { type Post, postsKey } from '../../domain/posts/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'

/** A creator in a listing (DATA-31). */
export type ListedCreator = {
  id: string
  username: string | null
  display_name: string | null
  bio: string | null
  avatar_url: string | null
  categories: string[]
  is_verified: boolean
  subscriber_count: number
  content_count: number
  likes_count: number
  /** In dollars a month, of the cheapest active plan; null without plans (D36). */
  subscription_price: number | null
  updated_at: string
}

/** A creator with what a card shows: a cover or pictures, and the trial (LOOP-09). */
export type ShownCreator = ListedCreator & {
  cover_url: string | null
  /** Paths in bucket `posts`, of free posts; null with a cover. */
  pictures: string[] | null
  /** Of the plan with the price, for this viewer; null without plans. */
  trial_days: number | null
}

/** The listing, and the columns computed for those who name them. */
const shownColumns =
  'id, username, display_name, bio, avatar_url, categories, is_verified, subscriber_count, content_count, likes_count, subscription_price, updated_at, cover_url, pictures, trial_days'

export const sorts = ['popular', 'newest', 'price_low', 'price_high'] as const
export type Sort = (typeof sorts)[number]
export type CreatorFilter = { search: string; category: string | null; sort: Sort }

const pageSize = 24

/** Matching creators, in pages (EXPL-02..EXPL-05). */
export const creatorsQuery = ({ search, category, sort }: CreatorFilter) =>
  infiniteQueryOptions({
    queryKey: ['creators', 'list', search, category, sort],
    initialPageParam: 0,
    getNextPageParam: (page: ShownCreator[], pages) =>
      page.length < pageSize ? undefined : pages.reduce((sum, one) => sum + one.length, 0),
    queryFn: async ({ signal, pageParam }): Promise<ShownCreator[]> => {
      const { data } = await supabase
        .rpc(
          'discover_creators',
          { ...filterOf({ search, category }), sort, page_size: pageSize, page_offset: pageParam },
          { get: true },
        )
        .select(shownColumns)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<ShownCreator[], { merge: false }>()
      return data
    },
  })

export type CreatorRail = { name: 'new' | 'week' | Category; creators: ShownCreator[] }

/** The rails above the list, in order; without those that have no creators (LOOP-09). */
export const railsQuery = () =>
  queryOptions({
    queryKey: ['creators', 'rails'],
    queryFn: async ({ signal }): Promise<CreatorRail[]> => {
      const { data } = await supabase
        .rpc('explore_rails', {}, { get: true })
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<(ShownCreator & { rail: CreatorRail['name'] })[], { merge: false }>()
      const names = [...new Set(data.map(({ rail }) => rail))]
      return names.map((name) => ({ name, creators: data.filter(({ rail }) => rail === name) }))
    },
  })

/** The newest posts that the viewer can buy one by one. A list with one page, so that updates of lists apply to it too. */
export const postsForSaleQuery = () =>
  infiniteQueryOptions({
    queryKey: [...postsKey, 'for-sale'],
    initialPageParam: undefined,
    getNextPageParam: () => undefined,
    queryFn: async ({ signal }): Promise<Post[]> => {
      const { data } = await supabase
        .rpc('posts_for_sale', {}, { get: true })
        .select(postColumns)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Pick<Post, 'media_previews'>[]>()
      return data
    },
  })

/** The number of matches (EXPL-07). */
export const creatorCountQuery = ({ search, category }: Omit<CreatorFilter, 'sort'>) =>
  queryOptions({
    queryKey: ['creators', 'count', search, category],
    queryFn: async ({ signal }): Promise<number> => {
      const { data } = await supabase
        .rpc('count_creators', filterOf({ search, category }), { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** Unset filters are omitted, so that the function's defaults apply. */
const filterOf = ({ search, category }: Omit<CreatorFilter, 'sort'>) => ({
  ...(search && { search }),
  ...(category && { category }),
})

/** A few popular creators whom the viewer neither follows nor subscribes to, for an empty feed (D37, LOOP-01). */
export const suggestionsQuery = () =>
  queryOptions({
    queryKey: ['creators', 'suggestions'],
    queryFn: async ({ signal }): Promise<ShownCreator[]> => {
      const { data } = await supabase
        .rpc('suggest_creators', { page_size: 6 }, { get: true })
        .select(shownColumns)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<ShownCreator[], { merge: false }>()
      return data
    },
  })
