import { answer, network } from './network.ts'

const userId = '11111111-1111-4111-8111-111111111111'
const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '')

export const viewerProfile = {
  id: '22222222-2222-4222-8222-222222222222',
  user_id: userId,
  username: 'ada',
  display_name: 'Ada Lovelace',
  avatar_url: null as string | null,
  is_creator: false,
  is_verified: false,
  role: 'user',
  updated_at: '2024-05-04T10:00:00Z',
}

type Factor = { id: string; factor_type: string; status: string; friendly_name?: string; created_at?: string }
type Over = {
  /** Claims of the token, e.g. `second_factor: 'pending'`. */
  claims?: Record<string, unknown>
  factors?: Factor[]
}

/** The response of `auth/v1` after sign-in. */
export function sessionFor({ claims = {}, factors }: Over = {}) {
  const expiresAt = Math.floor(Date.now() / 1000) + 3600
  return {
    access_token: `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: userId, role: 'authenticated', exp: expiresAt, ...claims })}.c2ln`,
    refresh_token: 'refresh',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: expiresAt,
    user: {
      id: userId,
      email: 'ada@example.com',
      aud: 'authenticated',
      role: 'authenticated',
      app_metadata: {},
      user_metadata: {},
      ...(factors && { factors }),
    },
  }
}

/**
 * Stores a session as supabase-js does (AUTH-27), before the first render, and responds to the requests of the shell and of every post.
 * @param profile overrides of an ordinary fan, for example `{ is_verified: true }`.
 */
export function signIn(profile: Partial<typeof viewerProfile> = {}): typeof viewerProfile {
  localStorage.setItem(`sb-${window.location.hostname.split('.')[0]}-auth-token`, JSON.stringify(sessionFor()))
  const viewer = { ...viewerProfile, ...profile }
  network.use(
    answer('profiles', [viewer]),
    answer('notifications', []),
    answer('messages', []),
    answer('blocks', []),
    answer('follows', []),
    // Views are counted.
    answer('rpc/record_profile_view', null),
    answer('rpc/record_post_views', null),
    answer('rpc/record_media_progress', true),
    answer('rpc/record_presence', null),
    // Posts load the viewer's reactions.
    answer('post_likes', []),
    answer('bookmarks', []),
    // A profile checks whether its user accepts messages.
    answer('rpc/can_message', true),
    // A creator's profile: sessions to book, and its editor.
    answer('session_offers', []),
    answer('media_settings', []),
  )
  return viewer
}
