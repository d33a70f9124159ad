import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import type { ListedCreator } from './queries.ts'

/** A creator on the front page. */
export type FrontCreator = Omit<ListedCreator, 'bio' | 'subscriber_count' | 'content_count' | 'likes_count'> & {
  cover_url: string | null
}

export const frontSize = 6
/** More than are shown, because those with a cover come first. */
const frontLookup = 12

const frontColumns =
  'id, username, display_name, avatar_url, categories, is_verified, subscription_price, updated_at, cover_url'

/** Popular creators for the front page, in one request (LOOP-03). */
export const frontCreatorsQuery = () =>
  queryOptions({
    queryKey: ['creators', 'front'],
    queryFn: async ({ signal }): Promise<FrontCreator[]> => {
      const { data } = await supabase
        .rpc('discover_creators', { sort: 'popular', page_size: frontLookup }, { get: true })
        .select(frontColumns)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<FrontCreator[], { merge: false }>()
      const withCover = data.filter(({ cover_url }) => cover_url)
      const without = data.filter(({ cover_url }) => !cover_url)
      return [...withCover, ...without].slice(0, frontSize)
    },
  })
