import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/* Separate and small, because the shell loads it before every screen. */

export const messagesKey = ['messages'] as const

/** The viewer's number of unread messages (GEN-22, API-REST-09). */
export const unreadMessagesQuery = (profileId: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'unread', profileId],
    queryFn: async ({ signal }): Promise<number> => {
      const { count } = await supabase
        .from('messages')
        .select('id', { count: 'exact', head: true })
        .eq('recipient_id', profileId)
        .eq('is_read', false)
        .abortSignal(signal)
        .throwOnError()
      return count ?? 0
    },
  })
