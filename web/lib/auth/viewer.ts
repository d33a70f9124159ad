import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { supabase } from '../api/supabase.ts'
import { publicImage } from '../media/public-image.ts'
import { viewerColumns } from './viewer-columns.ts'

/** The signed-in person as the product knows them. */
export type Viewer = {
  /** profiles.id, which is not the id of the auth user. */
  profileId: string
  userId: string
  username: string | null
  displayName: string | null
  /** As this page may load it. */
  avatarUrl: string | null
  isCreator: boolean
  isVerified: boolean
  /** GEN-42: `profiles.role` follows `user_roles`. It decides what is shown; row-level security decides what is allowed. */
  isAdmin: boolean
  /** D25: an approved creator, or an admin. */
  mayPublish: boolean
}

export const viewerKey = ['viewer'] as const

/** The profile of the person signed in (API-REST-01); `null` when there is none, which ERR-01 tells. */
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

/** The viewer, `null` for a signed-out visitor, `undefined` while it is not known. */
export const useViewer = (): Viewer | null | undefined => useContext(ViewerContext)

/** The last part of a person's address: the username, or the user id where there is none (PROF-02). */
export const addressOf = (person: { username: string | null; user_id: string }): string =>
  person.username ?? person.user_id

/** What a person is called: the display name, else the username. */
export const nameOf = (person: { display_name: string | null; username: string | null }): string =>
  person.display_name || person.username || 'Someone'
