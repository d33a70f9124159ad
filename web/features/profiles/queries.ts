import type { Category } from '@ovation/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { type Layout, layoutColumns, linkColumns, type ProfileLink } from '../../domain/creators/layout.ts'
import { isId } from '../../lib/api/is-id.ts'
import { supabase } from '../../lib/api/supabase.ts'

export const profileKey = ['profile'] as const

export type Profile = {
  id: string
  user_id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  cover_url: string | null
  bio: string | null
  website_url: string | null
  is_creator: boolean
  is_verified: boolean
  is_private: boolean
  categories: Category[]
  followers_count: number
  following_count: number
  total_photos: number
  total_videos: number
  total_posts: number
  /** In cents; null for everyone except the owner and admins (PROF-06). */
  total_earnings: number | null
  created_at: string
  updated_at: string
  /** Null if the creator has changed nothing, and to a viewer who may not read the profile. */
  layout: Layout | null
  links: ProfileLink[]
  /** Those that the viewer sees (OFFER-07). */
  goals: { id: string }[]
}

const columns = `id, user_id, username, display_name, avatar_url, cover_url, bio, website_url, is_creator, is_verified,
  is_private, categories, followers_count, following_count, total_photos, total_videos, total_posts, total_earnings,
  created_at, updated_at, layout:profile_layouts(${layoutColumns}), links:profile_links(${linkColumns}), goals(id)` as const

/** An id of `auth.users` or `profiles`. Usernames can't look like one: they have at most 30 characters. */

/** A profile by username, or by user id (API-REST-01, PROF-02); `null` if there is none. */
export const profileQuery = (address: string) =>
  queryOptions({
    queryKey: [...profileKey, address],
    queryFn: async ({ signal }): Promise<Profile | null> => {
      const profiles = supabase.from('profiles').select(columns)
      const { data } = await (isId(address)
        ? profiles.or(`user_id.eq.${address},id.eq.${address}`)
        : profiles.eq('username', address.toLowerCase())
      )
        .order('position', { referencedTable: 'links' })
        .limit(1)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data as Profile | null
    },
  })

/** The time and reason of a suspension; `null` if there is none. The server answers only admins. */
export const suspensionQuery = (profileId: string) =>
  queryOptions({
    queryKey: [...profileKey, 'suspension', profileId],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('get_suspension', { profile_id: profileId })
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })
