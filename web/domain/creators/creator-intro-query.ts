import { queryOptions } from '@tanstack/react-query'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { supabase } from '../../lib/api/supabase.ts'

/** A creator with the pictures of their profile. */
export type CreatorIntro = Byline & { cover_url: string | null; bio: string | null }

/** The columns of `profiles` that it needs. */
export const introColumns = `${bylineColumns}, cover_url, bio` as const

/** A creator by profile id; `null` if there is none. */
export const creatorIntroQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['creator-intro', profileId],
    queryFn: async ({ signal }): Promise<CreatorIntro | null> => {
      const { data } = await supabase
        .from('profiles')
        .select(introColumns)
        .eq('id', profileId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })
