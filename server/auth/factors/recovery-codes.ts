import { randomInt } from 'node:crypto'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit, recordRefusal } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import type { SessionResponse } from '../sessions/sessions.ts'
import { countTry } from './factor-challenge.ts'
import { removeFactor } from './factors.ts'
import { stepUpSession } from './step-up-session.ts'

const total = 10
/** Without letters and digits that look alike on paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 31^10 is about 2^49: with the limit on attempts, nobody guesses one. */
const length = 10

/**
 * Creates codes for a user who may lose the other factors, and returns them only this once. @param replace an existing set.
 * @throws GatewayError 403 `insufficient_aal`; 422 `mfa_recovery_codes_sole_factor` without another factor, `mfa_verified_factor_exists`, `mfa_factor_not_found`.
 */
export async function makeRecoveryCodes(
  ctx: AuthContext,
  requester: Requester,
  { replace, friendlyName }: { readonly replace: boolean; readonly friendlyName: string | null },
  visitor: RequestOrigin,
) {
  const { account } = requester
  const others = account.factors.filter((f) => f.status === 'verified' && f.factor_type !== 'recovery_code')
  if (others.length === 0) throw authErrors.recoveryCodesAlone()
  if (requester.aal !== 'aal2') throw authErrors.aal2ToEnroll()
  const codes = Array.from({ length: total }, drawCode)
  return ctx.database.transaction(serviceRole, async (db) => {
    const known = await findSet(db, account.id)
    if (known && !replace) throw authErrors.factorExists()
    if (!known && replace) throw authErrors.factorNotFound()
    const [factor] = known
      ? [known]
      : await db.rows<{ id: string; friendly_name: string | null }>(sql`
          insert into auth.mfa_factors (user_id, factor_type, friendly_name, status)
          values (${account.id}, 'recovery_code', ${friendlyName}, 'verified') returning id, friendly_name`)
    if (!factor) throw new Error('a factor was inserted without a row')
    const hashes = codes.map((code) => hashCode(ctx, factor.id, code))
    await db.rows(sql`delete from auth.mfa_recovery_codes where factor_id = ${factor.id}`)
    await db.rows(sql`
      insert into auth.mfa_recovery_codes (factor_id, code_hash) select ${factor.id}, unnest(${hashes}::text[])`)
    await recordAudit(db, 'recovery_codes_generated', account, visitor, { factor_id: factor.id })
    return { id: factor.id, type: 'recovery_code', friendly_name: factor.friendly_name ?? '', total, codes }
  })
}

/** @throws GatewayError 422 `mfa_factor_not_found`. */
export async function countRecoveryCodes({ db }: AuthContext, { account }: Requester) {
  const known = await findSet(db, account.id)
  if (!known) throw authErrors.factorNotFound()
  return { id: known.id, type: 'recovery_code', total: known.total, remaining: known.remaining }
}

/** Accepts one code instead of the factor, once. @throws GatewayError 422 `mfa_factor_not_found`, `mfa_verification_failed`; 429. */
export async function verifyRecoveryCode(
  ctx: AuthContext,
  requester: Requester,
  code: string,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  await countTry(ctx, requester, visitor)
  const attempt = async (db: CallerDb) => {
    const known = await findSet(db, requester.account.id)
    if (!known) throw authErrors.factorNotFound()
    const spent = await db.rows(sql`
      update auth.mfa_recovery_codes set used_at = now()
      where factor_id = ${known.id} and code_hash = ${hashCode(ctx, known.id, tidy(code))} and used_at is null returning id`)
    if (spent.length === 0) throw authErrors.factorNotVerified('recovery_code')
    await recordAudit(db, 'recovery_codes_used', requester.account, visitor, { remaining: known.remaining - 1 })
    return stepUpSession(ctx, db, requester, { id: known.id, factor_type: 'recovery_code' }, visitor)
  }
  return recordRefusal(ctx.db, requester.account, visitor, { proof: 'recovery_code' }, () =>
    ctx.database.transaction(serviceRole, attempt),
  )
}

/** @throws GatewayError 422 `mfa_factor_not_found`, `insufficient_aal`. */
export async function removeRecoveryCodes(ctx: AuthContext, requester: Requester, visitor: RequestOrigin) {
  return ctx.database.transaction(serviceRole, async (db) => {
    const known = await findSet(db, requester.account.id)
    if (!known) throw authErrors.factorNotFound()
    if (requester.aal !== 'aal2') throw authErrors.aal2ToUnenroll()
    await removeFactor(db, { id: known.id, user_id: requester.account.id })
    await recordAudit(db, 'factor_unenrolled', requester.account, visitor, { factor_id: known.id })
    return { id: known.id }
  })
}

type CodeSet = { id: string; friendly_name: string | null; total: number; remaining: number }

async function findSet(db: CallerDb, userId: string): Promise<CodeSet | undefined> {
  const [known] = await db.rows<CodeSet>(sql`
    select f.id, f.friendly_name, count(c.id)::int as total, (count(c.id) filter (where c.used_at is null))::int as remaining
    from auth.mfa_factors f left join auth.mfa_recovery_codes c on c.factor_id = f.id
    where f.user_id = ${userId} and f.factor_type = 'recovery_code' group by f.id`)
  return known
}

function drawCode(): string {
  const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`
}

/** Normalizes what users type from paper: capitals, spaces, and a missing dash are accepted. */
function tidy(code: string): string {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`
}

function hashCode(ctx: AuthContext, factorId: string, code: string): string {
  return ctx.keyedHash('recovery code', `${factorId}\0${code}`)
}
