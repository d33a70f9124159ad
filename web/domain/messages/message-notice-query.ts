import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type ReplyTime = 'hour' | 'few_hours' | 'day' | 'few_days'

export type MessageNotice = {
  /** Null while the creator isn't away. */
  away_message: string | null
  away_until: string | null
  /** Null while the creator is away or doesn't show it, and with too few replies. */
  reply_time: ReplyTime | null
}

/** What a viewer should know before writing to a creator (PAGE-03); `null` if there is nothing. */
export const messageNoticeQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['message-notice', creatorId],
    queryFn: async ({ signal }): Promise<MessageNotice | null> => {
      const { data } = await supabase
        .rpc('get_message_notice', { creator_profile_id: creatorId }, { get: true })
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data as MessageNotice | null
    },
  })
