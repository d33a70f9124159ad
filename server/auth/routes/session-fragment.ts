import type { SessionResponse } from '../sessions/sessions.ts'

/** A session as a URL fragment, where auth-js looks for it. It stays in the browser. */
export function sessionFragment(session: SessionResponse, more: Readonly<Record<string, string>> = {}): string {
  const { access_token, refresh_token, token_type, expires_in, expires_at } = session
  return new URLSearchParams({
    access_token,
    expires_at: String(expires_at),
    expires_in: String(expires_in),
    refresh_token,
    token_type,
    ...more,
  }).toString()
}
