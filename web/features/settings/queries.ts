import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { authClient } from '../../lib/auth/auth-client.ts'

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

export type OwnProfile = { username: string | null; display_name: string | null; bio: string | null }

export const ownProfileQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['settings', profileId, 'profile'],
    queryFn: async ({ signal }): Promise<OwnProfile> => {
      const { data } = await supabase
        .from('profiles')
        .select('username, display_name, bio')
        .eq('id', profileId)
        .abortSignal(signal)
        .single()
        .throwOnError()
      return data
    },
  })

export type OwnSession = {
  id: string
  created_at: string
  last_used_at: string
  user_agent: string | null
  ip: string | null
  is_current: boolean
}

export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['own-sessions'],
    queryFn: async ({ signal }): Promise<OwnSession[]> => {
      const { data } = await supabase
        .rpc('list_own_sessions')
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<OwnSession[], { merge: false }>()
      return data
    },
  })

export const passkeysQuery = () =>
  queryOptions({
    queryKey: ['own-passkeys'],
    queryFn: async () => {
      const { data, error } = await (await authClient()).passkey.list()
      if (error) throw error
      return data
    },
  })

export type Blocked = {
  id: string
  blocked: {
    id: string
    user_id: string
    username: string | null
    display_name: string | null
    avatar_url: string | null
    updated_at: string
  } | null
}

export const blockedQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['settings', profileId, 'blocked'],
    queryFn: async ({ signal }): Promise<Blocked[]> => {
      const { data } = await supabase
        .from('blocks')
        .select('id, blocked:profiles!blocked_id(id, user_id, username, display_name, avatar_url, updated_at)')
        .eq('blocker_id', profileId)
        .order('created_at', { ascending: false })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type Receipt = {
  id: string
  transaction_type: string
  status: string
  amount: number
  created_at: string
  /** The post that was bought, or that a tip was given on; null for anything else, and after the post was deleted. */
  post_id: string | null
  payee: { user_id: string; username: string | null; display_name: string | null } | null
}

/** The user's latest payments, including refunds (SET-06). */
export const receiptsQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['receipts', profileId],
    queryFn: async ({ signal }): Promise<Receipt[]> => {
      const { data } = await supabase
        .from('transactions')
        .select(
          'id, transaction_type, status, amount, created_at, post_id, payee:profiles!to_user_id(user_id, username, display_name)',
        )
        .eq('from_user_id', profileId)
        .in('transaction_type', ['subscription', 'ppv', 'tip', 'paid_message', 'private_session'])
        .order('created_at', { ascending: false })
        .limit(receiptsShown)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** Older entries are in the data export. */
const receiptsShown = 100
