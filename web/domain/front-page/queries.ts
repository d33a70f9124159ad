import type { Database } from '@ovation/contract/database'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { renderedImage } from '../../lib/media/public-image.ts'

/** The operator's settings (FIND-06). Null where the front page shows the product's own, or nothing. Pictures are paths in bucket `front-page`. */
export type FrontPage = Pick<
  Database['public']['Tables']['front_page']['Row'],
  'headline' | 'message' | 'accent' | 'picture_path' | 'picture_alt' | 'logo_path'
>

export const frontPageQuery = () =>
  queryOptions({
    queryKey: ['front-page'],
    queryFn: async ({ signal }): Promise<FrontPage> => {
      const { data } = await supabase.from('front_page').select().abortSignal(signal).single().throwOnError()
      return data
    },
  })

/** The address of the logo, whole. */
export const frontLogo = (path: string): string => renderedImage('front-page', path, 640)
