import { randomInt } from 'node:crypto'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit, recordRefusal } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { countSms, sendCode, testCodeOf } from '../phone/send-sms.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import type { SessionResponse } from '../sessions/sessions.ts'
import { isUuid } from '../uuid.ts'
import { type Factor, requireFactor } from './factors.ts'
import { stepUpSession } from './step-up-session.ts'
import { spendTotp } from './totp.ts'
import { askAuthenticator, type CeremonyState, checkAuthenticator } from './webauthn-factor.ts'

export type ChallengeOptions = { readonly rpId: string | undefined }

type Challenge = {
  readonly id: string
  readonly ip_address: string | null
  readonly otp_code: string | null
  readonly web_authn_session_data: CeremonyState | null
  readonly is_fresh: boolean
}

/**
 * Starts a factor's verification (API-AUTH-20): a phone gets its code, an authenticator its options.
 * @returns `expires_at` in seconds of the epoch.
 * @throws GatewayError 422 `mfa_factor_not_found`, `mfa_…_verify_not_enabled`, `sms_send_failed`; 429.
 */
export async function challengeFactor(
  ctx: AuthContext,
  requester: Requester,
  factorId: string,
  { rpId }: ChallengeOptions,
  visitor: RequestOrigin,
) {
  await countTry(ctx, requester, visitor)
  const factor = await requireFactor(ctx.db, requester, factorId)
  requireVerificationOn(ctx, factor)
  const code = factor.factor_type === 'phone' ? await newCode(ctx, factor, visitor) : undefined
  const asked =
    factor.factor_type === 'webauthn' ? await askAuthenticator(ctx, requester.account, factor, rpId) : undefined
  const [challenge] = await ctx.db.rows<{ id: string; expires_at: number }>(sql`
    with noted as (update auth.mfa_factors set last_challenged_at = now() where id = ${factor.id})
    insert into auth.mfa_challenges (factor_id, ip_address, otp_code, web_authn_session_data)
    values (${factor.id}, ${visitor.ip}, ${code ? hashCode(ctx, factor, code) : null}, ${asked ? JSON.stringify(asked.state) : null})
    returning id, floor(extract(epoch from created_at))::bigint::int + ${ctx.config.auth.mfa.challengeSeconds}::int as expires_at`)
  if (!challenge) throw new Error('a challenge was inserted without a row')
  if (code && factor.phone) {
    await sendCode(ctx, { phone: factor.phone, code, userId: factor.user_id }).catch((cause: unknown) => {
      throw authErrors.smsNotSent(cause)
    })
  }
  const { id, expires_at } = challenge
  return { id, type: factor.factor_type, expires_at, ...(asked && { webauthn: asked.webauthn }) }
}

export type FactorProof = {
  readonly challengeId: string
  readonly code: string | undefined
  readonly credential: Readonly<Record<string, unknown>> | undefined
}

/**
 * Verifies the proof (API-AUTH-21), once: it verifies the factor, and raises the session to aal2. The first proof of a new factor ends
 * the user's other sessions that haven't verified one.
 * @throws GatewayError 422 `mfa_verification_failed`, `mfa_challenge_expired`, `mfa_ip_address_mismatch`, `mfa_factor_not_found`; 429.
 */
export async function verifyFactor(
  ctx: AuthContext,
  requester: Requester,
  factorId: string,
  proof: FactorProof,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  await countTry(ctx, requester, visitor)
  const attempt = async (db: CallerDb) => {
    const factor = await requireFactor(db, requester, factorId)
    requireVerificationOn(ctx, factor)
    const challenge = await requireChallenge(ctx, db, factor, proof.challengeId)
    if (challenge.ip_address !== visitor.ip) throw authErrors.factorAddressMismatch()
    if (!(await check(ctx, db, factor, challenge, proof))) throw authErrors.factorNotVerified(factor.factor_type)
    await db.rows(sql`update auth.mfa_challenges set verified_at = now() where id = ${challenge.id}`)
    const isNew = factor.status === 'unverified'
    if (isNew) await confirmFactor(db, factor, requester.sessionId)
    await recordAudit(db, isNew ? 'factor_verified' : 'login', requester.account, visitor, { factor_id: factor.id })
    return stepUpSession(ctx, db, requester, factor, visitor)
  }
  return recordRefusal(ctx.db, requester.account, visitor, { factor_id: factorId }, () =>
    ctx.database.transaction(serviceRole, attempt),
  )
}

async function confirmFactor(db: CallerDb, { id, user_id: userId }: Factor, sessionId: string | undefined) {
  await db.rows(sql`
    with ended as (
      delete from auth.sessions where user_id = ${userId} and aal = 'aal1' and id is distinct from ${sessionId ?? null}::uuid
    )
    update auth.mfa_factors set status = 'verified', updated_at = now() where id = ${id}`)
}

async function requireChallenge(ctx: AuthContext, db: CallerDb, factor: Factor, id: string): Promise<Challenge> {
  const [challenge] = isUuid(id)
    ? await db.rows<Challenge>(sql`
        select id, host(ip_address) as ip_address, otp_code, web_authn_session_data,
          verified_at is null and created_at > now() - make_interval(secs => ${ctx.config.auth.mfa.challengeSeconds}) as is_fresh
        from auth.mfa_challenges where id = ${id} and factor_id = ${factor.id} for update`)
    : []
  if (!challenge?.is_fresh) throw authErrors.factorChallengeExpired()
  return challenge
}

async function check(
  ctx: AuthContext,
  db: CallerDb,
  factor: Factor,
  challenge: Challenge,
  { code = '', credential }: FactorProof,
): Promise<boolean> {
  switch (factor.factor_type) {
    case 'totp':
      return factor.secret !== null && spendTotp(ctx, db, { id: factor.id, secret: factor.secret }, code)
    case 'phone':
      return challenge.otp_code !== null && challenge.otp_code === hashCode(ctx, factor, code)
    case 'webauthn':
      return (
        credential !== undefined && checkAuthenticator(ctx, db, factor, challenge.web_authn_session_data, credential)
      )
    case 'recovery_code':
      return false // has its own path
  }
}

async function newCode(ctx: AuthContext, { phone }: Factor, visitor: RequestOrigin): Promise<string> {
  await countSms(ctx, phone ?? '', visitor)
  return testCodeOf(ctx, phone ?? '') ?? randomInt(1_000_000).toString().padStart(6, '0')
}

function hashCode(ctx: AuthContext, { id }: Factor, code: string): string {
  return ctx.keyedHash('factor code', `${id}\0${code}`)
}

/** Codes have six digits, so attempts are counted for the account, whatever the factor. */
export async function countTry({ limits }: AuthContext, { account }: Requester, visitor: RequestOrigin) {
  const wait = await limits.factorTries.take(account.id, visitor)
  if (wait > 0) throw authErrors.overRequestRate(wait)
}

function requireVerificationOn(ctx: AuthContext, { factor_type: type }: Factor) {
  const { totp, phone, webauthn } = ctx.config.auth.mfa
  if (type === 'totp' && !totp.verify) throw authErrors.totpVerifyDisabled()
  if (type === 'phone' && (!phone.verify || !ctx.sms)) throw authErrors.phoneVerifyDisabled()
  if (type === 'webauthn' && !webauthn.verify) throw authErrors.webauthnVerifyDisabled()
  if (type === 'recovery_code')
    throw authErrors.validationFailed('Recovery codes are verified at /factors/recovery-codes/verify')
}
