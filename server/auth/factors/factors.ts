import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { requireSms } from '../phone/send-sms.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import { isUuid } from '../uuid.ts'
import { drawTotp } from './totp.ts'

export type FactorType = 'totp' | 'phone' | 'webauthn' | 'recovery_code'

/** A row of auth.mfa_factors; the TOTP secret is encrypted. */
export type Factor = {
  readonly id: string
  readonly user_id: string
  readonly friendly_name: string | null
  readonly factor_type: FactorType
  readonly status: 'verified' | 'unverified'
  readonly secret: string | null
  readonly phone: string | null
  readonly web_authn_credential: StoredCredential | null
}

export type StoredCredential = {
  readonly id: string
  readonly public_key: string
  readonly counter: number
  readonly transports: string[]
}

export type Enrollment = {
  readonly type: Exclude<FactorType, 'recovery_code'>
  readonly friendlyName: string | null
  readonly issuer: string | undefined
  readonly phone: string | undefined
}

/** An unfinished enrollment is deleted after this time. */
const abandonedAfterSeconds = 300

/**
 * Begins to enroll a factor (API-AUTH-19); it counts once it is verified.
 * @throws GatewayError 403 `insufficient_aal`; 422 `mfa_factor_name_conflict`, `too_many_enrolled_mfa_factors`, `mfa_…_enroll_not_enabled`.
 */
export async function enrollFactor(
  ctx: AuthContext,
  requester: Requester,
  enrollment: Enrollment,
  visitor: RequestOrigin,
) {
  requireEnrollmentOn(ctx, enrollment.type)
  requireFullAssurance(requester, authErrors.aal2ToEnroll)
  const { account } = requester
  const { type, friendlyName, phone = null } = enrollment
  if (type === 'phone' && !phone) throw authErrors.validationFailed('Phone number is required')
  const label = account.email ?? account.phone ?? account.id
  const totp = type === 'totp' ? await drawTotp(enrollment.issuer ?? ctx.config.operator.productName, label) : undefined
  return ctx.database.transaction(serviceRole, async (db) => {
    await makeRoom(ctx, db, account.id)
    const [factor] = await db.rows<{ id: string }>(sql`
      insert into auth.mfa_factors (user_id, factor_type, friendly_name, phone)
      values (${account.id}, ${type}, ${friendlyName}, ${phone}) returning id`)
    if (!factor) throw new Error('a factor was inserted without a row')
    if (totp) {
      const secret = ctx.vault.seal(totp.secret, factor.id)
      await db.rows(sql`update auth.mfa_factors set secret = ${secret} where id = ${factor.id}`)
    }
    await recordAudit(db, 'factor_in_progress', account, visitor, { factor_id: factor.id, factor_type: type })
    return { id: factor.id, type, friendly_name: friendlyName ?? '', ...(totp && { totp }), ...(phone && { phone }) }
  })
}

function requireEnrollmentOn(ctx: AuthContext, type: Enrollment['type']) {
  const { totp, phone, webauthn } = ctx.config.auth.mfa
  if (type === 'totp' && !totp.enroll) throw authErrors.totpDisabled()
  if (type === 'webauthn' && !webauthn.enroll) throw authErrors.webauthnDisabled()
  if (type !== 'phone') return
  if (!phone.enroll || !ctx.sms) throw authErrors.phoneFactorDisabled()
  requireSms(ctx)
}

async function makeRoom({ config }: AuthContext, db: CallerDb, userId: string) {
  const [counted] = await db.rows<{ count: string }>(sql`
    with abandoned as (
      delete from auth.mfa_factors
      where user_id = ${userId} and status = 'unverified' and created_at < now() - make_interval(secs => ${abandonedAfterSeconds})
      returning id
    )
    select count(*) as count from auth.mfa_factors where user_id = ${userId} and id not in (select id from abandoned)`)
  if (Number(counted?.count ?? 0) >= config.auth.mfa.maxFactors) throw authErrors.tooManyFactors()
}

/** @throws GatewayError 422 `mfa_factor_not_found`, also for another user's factor. */
export async function requireFactor(db: CallerDb, { account }: Requester, id: string): Promise<Factor> {
  const [factor] = isUuid(id)
    ? await db.rows<Factor>(sql`
        select id, user_id, friendly_name, factor_type, status, secret, phone, web_authn_credential
        from auth.mfa_factors where id = ${id} and user_id = ${account.id}`)
    : []
  if (!factor) throw authErrors.factorNotFound()
  return factor
}

/**
 * Removes a factor (API-AUTH-22); sessions that it raised return to aal1. Removing the last other factor also removes the recovery codes:
 * alone they would be a lock without a key.
 * @throws GatewayError 422 `insufficient_aal`, `mfa_factor_not_found`.
 */
export async function unenrollFactor(
  ctx: AuthContext,
  requester: Requester,
  id: string,
  visitor: RequestOrigin,
): Promise<void> {
  await ctx.database.transaction(serviceRole, async (db) => {
    const factor = await requireFactor(db, requester, id)
    if (factor.status === 'verified' && requester.aal !== 'aal2') throw authErrors.aal2ToUnenroll()
    await removeFactor(db, factor)
    await recordAudit(db, 'factor_unenrolled', requester.account, visitor, { factor_id: id })
  })
}

export async function removeFactor(
  db: CallerDb,
  { id, user_id: userId }: Pick<Factor, 'id' | 'user_id'>,
): Promise<void> {
  await db.rows(sql`
    with lowered as (
      update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now() where factor_id = ${id} returning id
    )
    delete from auth.mfa_amr_claims a using lowered l
    where a.session_id = l.id and a.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn', 'recovery_code')`)
  await db.rows(sql`delete from auth.mfa_factors where id = ${id}`)
  await db.rows(sql`
    delete from auth.mfa_factors r where r.user_id = ${userId} and r.factor_type = 'recovery_code' and not exists (
      select from auth.mfa_factors f where f.user_id = ${userId} and f.status = 'verified' and f.factor_type <> 'recovery_code')`)
}

/** Whether the account has a second factor that this session hasn't verified. */
export function lacksSecondFactor({ account, aal }: Requester): boolean {
  return aal !== 'aal2' && account.factors.some(({ status }) => status === 'verified')
}

/** Users with a second factor must verify it before they change what protects the account. */
export function requireFullAssurance(requester: Requester, refusal: () => Error): void {
  if (lacksSecondFactor(requester)) throw refusal()
}
