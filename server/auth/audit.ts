import { GatewayError } from '../http/errors.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import type { RequestOrigin } from './request-origin.ts'

/** GoTrue's own action names, and `login_failed`, which GoTrue lacks (supabase/auth `internal/models/audit_log_entry.go`). */
export type AuditAction =
  | 'user_signedup'
  | 'user_confirmation_requested'
  | 'user_recovery_requested'
  | 'user_reauthenticate_requested'
  | 'user_repeated_signup'
  | 'user_modified'
  | 'user_updated_password'
  | 'user_deleted'
  | 'user_invited'
  | 'login'
  | 'login_failed'
  | 'logout'
  | 'factor_in_progress'
  | 'factor_verified'
  | 'factor_unenrolled'
  | 'factor_deleted'
  | 'recovery_codes_generated'
  | 'recovery_codes_used'
  | 'passkey_created'
  | 'passkey_deleted'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'sso_provider_created'
  | 'sso_provider_modified'
  | 'sso_provider_deleted'
  | 'oauth_client_created'
  | 'oauth_client_modified'
  | 'oauth_client_deleted'
  | 'oauth_client_secret_regenerated'
  | 'oauth_consent_granted'
  | 'oauth_consent_denied'
  | 'oauth_consent_revoked'
  | 'oauth_code_issued'
  | 'oauth_code_reused'

/** Every action with its GoTrue type. The database writes `token_revoked`, for a reused refresh token (0002_accounts.sql). */
export const auditActions: Readonly<Record<AuditAction, string>> = {
  user_signedup: 'team',
  user_confirmation_requested: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_repeated_signup: 'user',
  user_modified: 'user',
  user_updated_password: 'user',
  user_deleted: 'team',
  user_invited: 'team',
  login: 'account',
  login_failed: 'account',
  logout: 'account',
  factor_in_progress: 'factor',
  factor_verified: 'factor',
  factor_unenrolled: 'factor',
  factor_deleted: 'factor',
  recovery_codes_generated: 'recovery_codes',
  recovery_codes_used: 'recovery_codes',
  passkey_created: 'account',
  passkey_deleted: 'account',
  identity_linked: 'user',
  identity_unlinked: 'user',
  sso_provider_created: 'team',
  sso_provider_modified: 'team',
  sso_provider_deleted: 'team',
  oauth_client_created: 'team',
  oauth_client_modified: 'team',
  oauth_client_deleted: 'team',
  oauth_client_secret_regenerated: 'team',
  oauth_consent_granted: 'account',
  oauth_consent_denied: 'account',
  oauth_consent_revoked: 'account',
  oauth_code_issued: 'token',
  oauth_code_reused: 'token',
}

type Actor = {
  readonly id: string
  readonly email: string | null
  readonly phone?: string | null
  readonly is_sso_user?: boolean
}

/**
 * Writes a security event. @param actor undefined for an unknown name. What was typed isn't stored, because people type
 * passwords into the wrong field. @param traits never a secret.
 */
export async function recordAudit(
  db: CallerDb,
  action: AuditAction,
  actor: Actor | undefined,
  visitor: RequestOrigin,
  traits: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const payload = {
    action,
    log_type: auditActions[action],
    ...(actor && { actor_id: actor.id, actor_username: actor.email ?? actor.phone ?? '' }),
    actor_via_sso: actor?.is_sso_user ?? false,
    traits,
  }
  await db.rows(sql`
    insert into auth.audit_log_entries (payload, ip_address) values (${JSON.stringify(payload)}, ${visitor.ip ?? ''})`)
}

/**
 * Records a failed attempt, so that operators can find guessing. The failed work has been rolled back by then, so this is
 * a separate write.
 */
export async function recordRefusal<Result>(
  db: CallerDb,
  actor: Actor | undefined,
  visitor: RequestOrigin,
  traits: Readonly<Record<string, unknown>>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GatewayError && guesses.has(error.code))
      await recordAudit(db, 'login_failed', actor, visitor, traits)
    throw error
  }
}

const guesses: ReadonlySet<string> = new Set([
  'invalid_credentials',
  'mfa_verification_failed',
  'otp_expired',
  'reauthentication_not_valid',
  'webauthn_verification_failed',
])
