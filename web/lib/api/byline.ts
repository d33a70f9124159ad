/** What identifies a user next to their content: name, avatar, verified badge, and the path of their profile. */
export type Byline = {
  id: string
  user_id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  is_verified: boolean
  /** Changes with the avatar (see `publicImage`). */
  updated_at: string
}

/** The columns of `profiles` that it needs. */
export const bylineColumns = 'id, user_id, username, display_name, avatar_url, is_verified, updated_at'
