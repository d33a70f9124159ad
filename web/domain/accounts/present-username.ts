import { queryOptions } from '@tanstack/react-query'
import { isId } from '../../lib/api/is-id.ts'
import { supabase } from '../../lib/api/supabase.ts'

/** The present username of the user who had this one until at most 90 days ago (PAGE-02); `null` if there is none that the viewer may know. */
export async function readPresentUsername(former: string, signal: AbortSignal): Promise<string | null> {
  const { data } = await supabase
    .rpc('get_present_username', { former_username: former }, { get: true })
    .abortSignal(signal)
    .throwOnError()
  return data
}

/** The same for the segment of a URL, which may be a user id. */
export const presentUsernameQuery = (address: string) =>
  queryOptions({
    queryKey: ['present-username', address],
    queryFn: ({ signal }) => (isId(address) ? null : readPresentUsername(address, signal)),
  })
