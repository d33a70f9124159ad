/** Whom something is by or with: a name, a face, a mark, and the way to their profile. */
export type Byline = {
  id: string
  user_id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  is_verified: boolean
  /** Tells one face from the next (see `publicImage`). */
  updated_at: string
}

/** What a query asks of `profiles` for it. */
export const bylineColumns = 'id, user_id, username, display_name, avatar_url, is_verified, updated_at'
