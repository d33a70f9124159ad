import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type PostEmails = 'immediately' | 'daily' | 'none'

/**
 * DATA-35, as stored (SET-15). `digest` is ours: one email a day. So are `posts` and `postEmails`, which are about new posts (LOOP-02), and
 * `allowSearchEngines` (FIND-02).
 */
export type Settings = {
  notifications: {
    email: boolean
    push: boolean
    messages: boolean
    tips: boolean
    subscriptions: boolean
    posts: boolean
    digest: boolean
    postEmails: PostEmails
  }
  privacy: {
    profileVisibility: 'public' | 'private'
    showOnlineStatus: boolean
    allowDirectMessages: boolean
    allowSearchEngines: boolean
  }
  security: { twoFactorEnabled: boolean; loginAlerts: boolean }
}

/** The user's own settings. Row-level security hides everyone else's. */
export const settingsQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['settings', profileId],
    queryFn: async ({ signal }): Promise<Settings> => {
      const { data } = await supabase
        .from('user_settings')
        .select('notifications, privacy, security')
        .eq('user_id', profileId)
        .abortSignal(signal)
        .single()
        .throwOnError()
        .overrideTypes<Settings>()
      return data
    },
  })
