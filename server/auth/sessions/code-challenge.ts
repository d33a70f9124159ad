import { createHash, randomBytes } from 'node:crypto'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { timingSafeEqualText } from '../../timing-safe-equal.ts'
import { recordAudit } from '../audit.ts'
import type { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { linkIdentity } from '../providers/link-identity.ts'
import type { ProviderPerson } from '../providers/provider-person.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { type Account, findAccount, isBanned } from '../users/account.ts'
import { hashToken, openSession, type SessionResponse } from './sessions.ts'

/** A browser's code challenge for an email flow (RFC 7636): the session goes to the client that knows the verifier. */
export type CodeChallenge = { readonly challenge: string; readonly method: 's256' | 'plain' }

const form = /^[A-Za-z0-9._~-]{43,128}$/
const codeLifetimeSeconds = 300

/** Undefined without a challenge. @throws GatewayError 400 `validation_failed` for an incomplete one. */
export function readCodeChallenge(body: Body): CodeChallenge | undefined {
  const challenge = body.text('code_challenge')
  const method = body.text('code_challenge_method')?.toLowerCase()
  if (!challenge && !method) return undefined
  if (!challenge || !form.test(challenge)) {
    throw authErrors.validationFailed(
      'code_challenge has 43 to 128 characters: letters and digits, dots, dashes, underscores, and tildes',
    )
  }
  if (method !== 's256' && method !== 'plain')
    throw authErrors.validationFailed('code_challenge_method must be s256 or plain')
  return { challenge, method }
}

/** Begins a flow for an email of this kind. @returns its id, null without a challenge. The account's abandoned flows are deleted. */
export async function beginFlow(
  db: CallerDb,
  userId: string,
  kind: string,
  codeChallenge: CodeChallenge | undefined,
): Promise<string | null> {
  if (!codeChallenge) return null
  const [flow] = await db.rows<{ id: string }>(sql`
    with abandoned as (
      delete from auth.flow_state where user_id = ${userId} and created_at < now() - interval '7 days'
    )
    insert into auth.flow_state (user_id, code_challenge, code_challenge_method, authentication_method)
    values (${userId}, ${codeChallenge.challenge}, ${codeChallenge.method}, ${kind}) returning id`)
  return flow?.id ?? null
}

/** The code that a followed link passes to the browser, valid for five minutes. */
export async function issueAuthCode(db: CallerDb, flowStateId: string): Promise<string> {
  const code = randomBytes(24).toString('base64url')
  await db.rows(sql`
    update auth.flow_state set auth_code_hash = ${hashToken(code)}, auth_code_issued_at = now() where id = ${flowStateId}`)
  return code
}

type Flow = {
  readonly id: string
  readonly user_id: string
  readonly code_challenge: string
  readonly code_challenge_method: CodeChallenge['method']
  readonly authentication_method: string
  readonly provider: string | null
  readonly provider_secrets: string | null
  readonly linking_target_id: string | null
  readonly session_not_after: Date | null
  readonly is_fresh: boolean
}

/**
 * Exchanges code and verifier for a session (API-AUTH-04), once.
 * @throws GatewayError 422 `flow_state_not_found`, 403 `flow_state_expired`, 400 `bad_code_verifier`, `user_banned`; 429.
 */
export async function exchangeCode(
  ctx: AuthContext,
  code: string,
  verifier: string,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  const wait = await ctx.limits.verify.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  return ctx.database.transaction(serviceRole, async (db) => {
    const [flow] = await db.rows<Flow>(sql`
      select id, user_id, code_challenge, code_challenge_method, authentication_method, provider, provider_secrets,
        linking_target_id, session_not_after,
        auth_code_issued_at > now() - make_interval(secs => ${codeLifetimeSeconds}) as is_fresh
      from auth.flow_state where auth_code_hash = ${hashToken(code)} for update`)
    if (!flow) throw authErrors.flowStateNotFound()
    if (!flow.is_fresh) throw authErrors.flowStateExpired()
    if (!answers(verifier, flow)) throw authErrors.badCodeVerifier()
    await db.rows(sql`delete from auth.flow_state where id = ${flow.id}`)
    const account = await findAccount(db, flow.user_id)
    if (!account || account.deleted_at) throw authErrors.flowStateNotFound()
    if (isBanned(account)) throw authErrors.userBanned()
    const linked = await linkWhatCameBack(ctx, db, flow, account, visitor)
    await recordAudit(db, 'login', linked, visitor, {
      provider: flow.provider ?? 'email',
      proof: flow.authentication_method,
    })
    return openSession(ctx, db, linked, proofOf(flow), visitor)
  })
}

/** Only the browser that began can link an identity, because it knows the verifier (external-flow.ts). */
async function linkWhatCameBack(ctx: AuthContext, db: CallerDb, flow: Flow, account: Account, visitor: RequestOrigin) {
  if (!flow.linking_target_id || !flow.provider_secrets) return account
  const person = JSON.parse(ctx.vault.open(flow.provider_secrets, flow.id)) as ProviderPerson
  return linkIdentity(db, account, person, visitor)
}

/** An email link proves an address, another service's response an identity. */
function proofOf({ provider, authentication_method: method, session_not_after: notAfter }: Flow) {
  return provider ? { method, provider, notAfter: notAfter ?? undefined } : { method: 'otp', provider: 'email' }
}

function answers(verifier: string, { code_challenge, code_challenge_method }: Flow): boolean {
  const answer = code_challenge_method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  return timingSafeEqualText(answer, code_challenge)
}
