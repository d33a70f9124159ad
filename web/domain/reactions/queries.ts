import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const reactionsKey = ['reactions'] as const

/** The tables of reactions. A row means that the user has reacted (D28). */
export type Reaction = 'post_likes' | 'bookmarks'

/** The ids of these posts that the viewer has liked or saved. Users can read only their own rows. */
export const reactionsQuery = (reaction: Reaction, viewerId: string, postIds: string[]) =>
  queryOptions({
    queryKey: [...reactionsKey, reaction, viewerId, postIds],
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await supabase
        .from(reaction)
        .select('post_id')
        .eq('user_id', viewerId)
        .in('post_id', postIds)
        .abortSignal(signal)
        .throwOnError()
      return data.map((row) => row.post_id)
    },
  })
