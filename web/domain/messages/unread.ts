import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/* Separate and small, because the shell loads it before every screen. */

export const messagesKey = ['messages'] as const

/** The viewer's number of unread messages in the inbox (GEN-22): not in the archive, and not of restricted fans (LIST-05). */
export const unreadMessagesQuery = (profileId: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'unread', profileId],
    queryFn: async ({ signal }): Promise<number> => {
      const { data } = await supabase
        .rpc('count_unread_messages', undefined, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
