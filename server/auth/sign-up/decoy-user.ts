import { randomUUID } from 'node:crypto'
import type { Account } from '../users/account.ts'

/** A user that looks new but doesn't exist: the response for a taken address or number. */
export function buildDecoyUser(
  { email = null, phone = null }: { readonly email?: string | null; readonly phone?: string | null },
  data: Readonly<Record<string, unknown>>,
): Account {
  const now = new Date()
  const provider = email === null ? 'phone' : 'email'
  return {
    id: randomUUID(),
    aud: 'authenticated',
    role: 'authenticated',
    email,
    email_confirmed_at: null,
    invited_at: null,
    confirmation_sent_at: now,
    recovery_sent_at: null,
    email_change: null,
    email_change_sent_at: null,
    phone,
    phone_confirmed_at: null,
    phone_change: null,
    phone_change_sent_at: null,
    confirmed_at: null,
    last_sign_in_at: null,
    raw_app_meta_data: { provider, providers: [provider] },
    raw_user_meta_data: data,
    is_anonymous: false,
    is_sso_user: false,
    banned_until: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
    identities: [], // GoTrue's response has none either; screens can tell by it
    factors: [],
  }
}
