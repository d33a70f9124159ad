import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/** A profile with the account's data that only admins see (ADM-16, RPC-04). */
export type ListedUser = {
  /** profiles.id */
  id: string
  user_id: string
  username: string
  display_name: string | null
  avatar_url: string | null
  is_creator: boolean
  is_verified: boolean
  /** `admin` or `user`. */
  role: string
  created_at: string
  updated_at: string
  email: string | null
  /** When an admin suspended the user. */
  suspended_at: string | null
  suspension_reason: string | null
  total_posts: number
  /** In cents, after the fee. */
  total_earnings: number
}

export const usersKey = ['users'] as const
const pageSize = 25

/** Users whose username, name, or email address contains `search`, newest first (ADM-16). */
export const usersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...usersKey, 'list', search],
    initialPageParam: undefined as ListedUser | undefined,
    getNextPageParam: (page: ListedUser[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<ListedUser[]> => {
      const { data } = await supabase
        .rpc('get_users_with_emails', {
          page_size: pageSize,
          ...(search && { search }),
          ...(pageParam && { before: pageParam.created_at, before_id: pageParam.id }),
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The total number of users (ADM-04). */
export const userCountQuery = () =>
  queryOptions({
    queryKey: [...usersKey, 'count'],
    queryFn: async ({ signal }): Promise<number> => {
      const { data } = await supabase.rpc('count_users').abortSignal(signal).throwOnError()
      return data
    },
  })
