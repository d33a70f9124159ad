import type { FrontPage } from '../domain/front-page/queries.ts'
import type { Post } from '../domain/posts/queries.ts'
import type { VaultAlbum, VaultFile } from '../domain/vault/queries.ts'
import type { ShownCreator } from '../features/discover/explore-queries.ts'
import type { FrontCreator } from '../features/discover/front-creators-query.ts'
import type { Profile } from '../features/profiles/queries.ts'

/** Rows as the server returns them; tests override the fields they are about. */
const at = '2024-05-04T10:00:00Z'
let count = 0
const id = () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`

export const noor = {
  id: 'c0000000-0000-4000-8000-000000000001',
  user_id: 'c0000000-0000-4000-8000-0000000000ff',
  username: 'noor',
  display_name: 'Noor Haddad',
  avatar_url: null,
  is_verified: true,
  updated_at: at,
}

export const buildPost = (over: Partial<Post> = {}): Post => ({
  id: id(),
  creator_id: noor.id,
  title: null,
  content: 'Some words',
  post_type: 'free',
  media_urls: [],
  media_types: [],
  media_previews: [],
  cover_path: null,
  required_tier_id: null,
  ppv_price: null,
  likes_count: 0,
  comments_count: 0,
  is_pinned: false,
  is_locked: false,
  admin_note: null,
  admin_note_is_public: false,
  created_at: at,
  creator: noor,
  poll: null,
  ...over,
})

export const buildProfile = (over: Partial<Profile> = {}): Profile => ({
  ...noor,
  cover_url: null,
  bio: 'Photographer in Lisbon.',
  website_url: 'https://noor.example',
  is_creator: true,
  is_private: false,
  categories: ['Photography'],
  followers_count: 1200,
  following_count: 3,
  total_photos: 87,
  total_videos: 4,
  total_posts: 92,
  total_earnings: null,
  created_at: at,
  layout: null,
  links: [],
  goals: [],
  ...over,
})

export const buildCreator = (over: Partial<ShownCreator> = {}): ShownCreator => ({
  id: id(),
  username: 'noor',
  display_name: 'Noor Haddad',
  bio: 'Photographer in Lisbon.',
  avatar_url: null,
  categories: ['Photography'],
  is_verified: true,
  subscriber_count: 1204,
  content_count: 87,
  likes_count: 3,
  subscription_price: 9.99,
  updated_at: at,
  cover_url: null,
  pictures: [],
  trial_days: 0,
  ...over,
})

export const buildFrontCreator = (over: Partial<FrontCreator> = {}): FrontCreator => ({
  id: id(),
  username: 'noor',
  display_name: 'Noor Haddad',
  avatar_url: null,
  cover_url: null,
  categories: ['Photography'],
  is_verified: true,
  subscription_price: 9.99,
  updated_at: at,
  is_featured: false,
  ...over,
})

/** The front page as the product comes. */
export const buildFrontPage = (over: Partial<FrontPage> = {}): FrontPage => ({
  headline: null,
  message: null,
  accent: null,
  picture_path: null,
  picture_alt: null,
  logo_path: null,
  ...over,
})

export const buildVaultFile = (over: Partial<VaultFile> = {}): VaultFile => {
  const own = id()
  return {
    id: own,
    path: `u/${own}.jpg`,
    kind: 'image',
    mime_type: 'image/jpeg',
    size_bytes: 1000,
    name: 'Sea.jpg',
    alt_text: null,
    caption: null,
    width: null,
    height: null,
    duration: null,
    preview: null,
    stream: false,
    post_uses: 0,
    message_uses: 0,
    story_uses: 0,
    created_at: at,
    sales: 0,
    earned_cents: 0,
    ...over,
  }
}

export const buildVaultAlbum = (over: Partial<VaultAlbum> = {}): VaultAlbum => ({
  id: id(),
  name: 'Lisbon',
  file_count: 0,
  cover_id: null,
  cover_path: null,
  cover_kind: null,
  cover_preview: null,
  ...over,
})
