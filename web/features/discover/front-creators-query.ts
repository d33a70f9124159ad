import type { Database } from '@ovation/contract/database'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/** A creator on the front page. */
export type FrontCreator = Database['public']['CompositeTypes']['front_creator']

/** How many there are, unless the operator features more. */
export const frontSize = 6

/** The creators of the front page, in one request: those whom the operator features, then popular ones (LOOP-03, FIND-06). */
export const frontCreatorsQuery = () =>
  queryOptions({
    queryKey: ['creators', 'front'],
    queryFn: async ({ signal }): Promise<FrontCreator[]> => {
      const { data } = await supabase.rpc('front_creators', undefined, { get: true }).abortSignal(signal).throwOnError()
      return data
    },
  })
