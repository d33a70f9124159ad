import { bylineColumns } from '../../lib/api/byline.ts'

// `!creator_id` names the relationship, because buyers connect posts to profiles too.
/** The columns of posts in a list, with the type `Post`. */
export const postColumns =
  `id, creator_id, title, content, post_type, media_urls, media_types, media_previews, cover_path, required_tier_id, ppv_price,
  likes_count, comments_count, is_pinned, is_locked, admin_note, admin_note_is_public, created_at,
  creator:profiles!creator_id(${bylineColumns}),
  poll:polls(id, title, options, expires_at, is_active)` as const
