import { queryOptions } from '@tanstack/react-query'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { supabase } from '../../lib/api/supabase.ts'

export type Suggestion = { key: string /** What replaces the typed text, with its sign. */; text: string } & (
  | { posts: number }
  | { person: Byline }
)

/** What begins like the typed text: tags, or users, of which those around the post come first (TALK-01). */
export const suggestionsQuery = (sign: '#' | '@', typed: string, postId: string | undefined) =>
  queryOptions({
    queryKey: ['suggestions', sign, typed.toLowerCase(), postId],
    staleTime: 60_000,
    retry: false, // the text can be typed without suggestions
    queryFn: async ({ signal }): Promise<Suggestion[]> => {
      if (sign === '#') {
        const { data } = await supabase
          .rpc('suggest_tags', { search: typed }, { get: true })
          .abortSignal(signal)
          .throwOnError()
        return data.map(({ tag, posts }) => ({ key: String(tag), text: `#${String(tag)}`, posts: posts ?? 0 }))
      }
      const { data } = await supabase
        .rpc('suggest_people', { search: typed, ...(postId && { post_id: postId }) }, { get: true })
        .select(bylineColumns)
        .abortSignal(signal)
        .throwOnError()
      return data.flatMap((person) =>
        person.username ? [{ key: person.id, text: `@${person.username}`, person }] : [],
      )
    },
  })
