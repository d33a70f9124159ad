import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { supabase } from '../api/supabase.ts'
import { publicImage } from '../media/public-image.ts'
import { viewerColumns } from './viewer-columns.ts'

/** The signed-in user's profile. */
export type Viewer = {
  /** profiles.id, which is not the auth user's id. */
  profileId: string
  userId: string
  username: string | null
  displayName: string | null
  /** As a URL that this page may load. */
  avatarUrl: string | null
  isCreator: boolean
  isVerified: boolean
  /** GEN-42: `profiles.role` mirrors `user_roles`. It decides what the screen shows; row-level security decides what is allowed. */
  isAdmin: boolean
  /** D25: an approved creator, or an admin. */
  mayPublish: boolean
}

export const viewerKey = ['viewer'] as const

/** The profile of the signed-in user (API-REST-01); `null` if it is missing, which shows ERR-01. */
export const viewerQuery = (userId: string) =>
  queryOptions({
    queryKey: [...viewerKey, userId],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }): Promise<Viewer | null> => {
      const { data } = await supabase
        .from('profiles')
        .select(viewerColumns)
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      if (!data) return null
      const isAdmin = data.role === 'admin'
      return {
        profileId: data.id,
        userId,
        username: data.username,
        displayName: data.display_name,
        avatarUrl: publicImage(data.avatar_url, data.updated_at),
        isCreator: data.is_creator,
        isVerified: data.is_verified,
        isAdmin,
        mayPublish: isAdmin || data.is_verified,
      }
    },
  })

/** Set by `ViewerProvider`. */
export const ViewerContext = createContext<Viewer | null | undefined>(undefined)

/** The viewer, `null` for a visitor, `undefined` while it loads. */
export const useViewer = (): Viewer | null | undefined => useContext(ViewerContext)

/** The last segment of a profile's path: the username, or the user id if there is none (PROF-02). */
export const addressOf = (person: { username: string | null; user_id: string }): string =>
  person.username ?? person.user_id

/** A user's name: the display name, else the username. */
export const nameOf = (person: { display_name: string | null; username: string | null }): string =>
  person.display_name || person.username || 'Someone'
