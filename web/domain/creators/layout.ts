import type { ProfileTab } from '@ovation/contract/profile-layouts'

/** How a creator's profile looks (PAGE-01). */
export type Layout = {
  /** As chosen: `accentOf` makes it readable. */
  accent_color: string | null
  featured_post_id: string | null
  welcome_text: string | null
  /** A free post with a video. */
  welcome_post_id: string | null
  /** Null for the usual order. */
  tab_order: ProfileTab[] | null
  shows_subscriber_count: boolean
  shows_post_count: boolean
}

export const layoutColumns =
  `accent_color, featured_post_id, welcome_text, welcome_post_id, tab_order, shows_subscriber_count,
  shows_post_count` as const

/** One of a creator's links to other sites. */
export type ProfileLink = {
  id: string
  label: string
  url: string
  /** Null while the other site doesn't link back. */
  verified_at: string | null
}

export const linkColumns = 'id, label, url, verified_at' as const
