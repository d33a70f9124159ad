import type { Account, FactorSummary, Identity } from './account.ts'

/** The user in GoTrue's format (supabase/auth `internal/models/user.go`). Unset fields are left out, except that email and phone are ''. */
export function renderUser(account: Account) {
  return {
    id: account.id,
    aud: account.aud,
    role: account.role,
    email: account.email ?? '',
    ...time('email_confirmed_at', account.email_confirmed_at),
    ...time('invited_at', account.invited_at),
    phone: account.phone ?? '',
    ...time('phone_confirmed_at', account.phone_confirmed_at),
    ...(account.phone_change && { new_phone: account.phone_change }),
    ...time('phone_change_sent_at', account.phone_change_sent_at),
    ...time('confirmation_sent_at', account.confirmation_sent_at),
    ...time('confirmed_at', account.confirmed_at),
    ...time('recovery_sent_at', account.recovery_sent_at),
    ...(account.email_change && { new_email: account.email_change }),
    ...time('email_change_sent_at', account.email_change_sent_at),
    ...time('last_sign_in_at', account.last_sign_in_at),
    app_metadata: account.raw_app_meta_data,
    user_metadata: account.raw_user_meta_data,
    identities: account.identities.map(renderIdentity),
    ...(account.factors.length > 0 && { factors: account.factors.map(renderFactor) }),
    ...time('banned_until', account.banned_until),
    ...time('deleted_at', account.deleted_at),
    created_at: account.created_at.toISOString(),
    updated_at: account.updated_at.toISOString(),
    is_anonymous: account.is_anonymous,
    ...(account.is_sso_user && { is_sso_user: true }),
  }
}

export type RenderedUser = ReturnType<typeof renderUser>

export function renderFactor(factor: FactorSummary) {
  return {
    id: factor.id,
    ...(factor.friendly_name && { friendly_name: factor.friendly_name }),
    factor_type: factor.factor_type,
    status: factor.status,
    ...(factor.phone && { phone: factor.phone }),
    ...time('last_challenged_at', factor.last_challenged_at),
    created_at: new Date(factor.created_at).toISOString(),
    updated_at: new Date(factor.updated_at).toISOString(),
  }
}

function renderIdentity(identity: Identity) {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    ...time('last_sign_in_at', identity.last_sign_in_at),
    created_at: new Date(identity.created_at).toISOString(),
    updated_at: new Date(identity.updated_at).toISOString(),
    ...(identity.email && { email: identity.email }),
  }
}

function time<Name extends string>(name: Name, at: Date | string | null): { readonly [Key in Name]?: string } {
  return at === null ? {} : ({ [name]: new Date(at).toISOString() } as { readonly [Key in Name]?: string })
}
