import { randomBytes } from 'node:crypto'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import { type Amr, answerSession, hashToken, type SessionResponse } from '../sessions/sessions.ts'
import { findAccount } from '../users/account.ts'
import type { Factor, FactorType } from './factors.ts'

/** The `amr` method of each factor, as in GoTrue. */
const methods: Readonly<Record<FactorType, string>> = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
  recovery_code: 'recovery_code',
}

/**
 * Raises the session to aal2, with new tokens: the refresh token from the password alone stops working.
 * @throws GatewayError 403 `session_not_found` for a token without a session.
 */
export async function stepUpSession(
  ctx: AuthContext,
  db: CallerDb,
  { account, sessionId }: Requester,
  { id: factorId, factor_type: type }: Pick<Factor, 'id' | 'factor_type'>,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  const refreshToken = randomBytes(24).toString('base64url')
  const [session] = await db.rows<{ id: string }>(sql`
    with session as (
      update auth.sessions set aal = 'aal2', factor_id = ${factorId}, updated_at = now()
      where id = ${sessionId ?? null}::uuid and user_id = ${account.id} returning id
    ), claim as (
      insert into auth.mfa_amr_claims (session_id, authentication_method) select id, ${methods[type]} from session
      on conflict (session_id, authentication_method) do update set updated_at = now()
    ), spent as (
      delete from auth.refresh_tokens r using session s where r.session_id = s.id and not r.revoked
    ), token as (
      insert into auth.refresh_tokens (token_hash, user_id, session_id)
      select ${hashToken(refreshToken)}, ${account.id}, id from session
    )
    select id from session`)
  const current = await findAccount(db, account.id)
  if (!session || !current) throw authErrors.sessionNotFound()
  visitor.signedInAs?.(current)
  const [claims] = await db.rows<{ amr: Amr }>(sql`
    select jsonb_agg(jsonb_build_object(
      'method', authentication_method, 'timestamp', floor(extract(epoch from updated_at))::bigint) order by updated_at desc) as amr
    from auth.mfa_amr_claims where session_id = ${session.id}`)
  return answerSession(ctx, current, { id: session.id, aal: 'aal2', amr: claims?.amr ?? [] }, refreshToken)
}
