import { randomBytes } from 'node:crypto'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { requireFullAssurance } from '../factors/factors.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import { hashToken } from '../sessions/sessions.ts'
import { isUuid } from '../uuid.ts'
import { codeAddress, refusalAddress } from './redirect-address.ts'
import { covers, splitScopes } from './scopes.ts'

type Pending = {
  readonly id: string
  readonly client_id: string
  readonly redirect_uri: string
  readonly scope: string
  readonly state: string | null
  readonly client_name: string
  readonly client_uri: string | null
  readonly logo_uri: string | null
  readonly client_type: 'public' | 'confidential'
  readonly consented: readonly string[] | null
}

const codeLifetimeSeconds = 300

/**
 * The content of the consent screen. A user who already allowed as much is sent back at once, unless the code's redirect URI could
 * belong to any program on a device and the client can't prove its identity (RFC 8252 section 8.6).
 * @throws GatewayError 404 `oauth_authorization_not_found`; 403 `insufficient_aal`.
 */
export async function readAuthorization(ctx: AuthContext, requester: Requester, id: string, visitor: RequestOrigin) {
  requireFullAssurance(requester, authErrors.aal2ToConnectApps)
  const { account } = requester
  return ctx.database.transaction(serviceRole, async (db) => {
    const pending = await claimPending(db, requester, id)
    const isProven = pending.client_type === 'confidential' || pending.redirect_uri.startsWith('https:')
    if (isProven && pending.consented && covers(pending.consented, splitScopes(pending.scope))) {
      return { redirect_url: await issueCode(ctx, db, requester, pending, visitor) }
    }
    return {
      authorization_id: pending.id,
      redirect_uri: pending.redirect_uri.split('?')[0] ?? '',
      client: renderClientOfGrant(pending),
      user: { id: account.id, email: account.email ?? '' },
      scope: pending.scope,
    }
  })
}

/** @throws GatewayError 404 `oauth_authorization_not_found`; 403 `insufficient_aal`. */
export async function answerAuthorization(
  ctx: AuthContext,
  requester: Requester,
  { id, approves }: { readonly id: string; readonly approves: boolean },
  visitor: RequestOrigin,
) {
  requireFullAssurance(requester, authErrors.aal2ToConnectApps)
  const { account } = requester
  return ctx.database.transaction(serviceRole, async (db) => {
    const pending = await claimPending(db, requester, id)
    const traits = { client_id: pending.client_id, client_name: pending.client_name, scope: pending.scope }
    if (!approves) {
      await db.rows(sql`update auth.oauth_authorizations set status = 'denied' where id = ${id}`)
      await recordAudit(db, 'oauth_consent_denied', account, visitor, traits)
      const denied = { error: 'access_denied', description: 'The user denied the request' }
      return { redirect_url: refusalAddress(ctx, pending, denied) }
    }
    await db.rows(sql`
      insert into auth.oauth_consents as o (user_id, client_id, scopes)
      values (${account.id}, ${pending.client_id}, ${splitScopes(pending.scope)})
      on conflict (user_id, client_id) do update set
        scopes = array(select distinct unnest(o.scopes || excluded.scopes) order by 1), granted_at = now()`)
    await recordAudit(db, 'oauth_consent_granted', account, visitor, traits)
    return { redirect_url: await issueCode(ctx, db, requester, pending, visitor) }
  })
}

/** The user who opens the screen is the one who decides, unless they sign out: their session's end sets session_id to null. */
async function claimPending(db: CallerDb, { account, sessionId }: Requester, id: string): Promise<Pending> {
  if (!isUuid(id) || sessionId === undefined) throw authErrors.oauthAuthorizationNotFound()
  const [pending] = await db.rows<Pending>(sql`
    update auth.oauth_authorizations a set user_id = ${account.id}, session_id = ${sessionId}
    from auth.oauth_clients c
    left join auth.oauth_consents o on o.client_id = c.id and o.user_id = ${account.id}
    where a.id = ${id} and a.client_id = c.id and a.status = 'pending' and a.expires_at > now()
      and (a.session_id is null or a.user_id = ${account.id})
    returning a.id, a.client_id, a.redirect_uri, a.scope, a.state, c.client_name, c.client_uri, c.logo_uri, c.client_type,
      o.scopes as consented`)
  if (!pending) throw authErrors.oauthAuthorizationNotFound()
  return pending
}

async function issueCode(
  ctx: AuthContext,
  db: CallerDb,
  requester: Requester,
  pending: Pending,
  visitor: RequestOrigin,
) {
  const code = randomBytes(32).toString('base64url')
  await db.rows(sql`
    update auth.oauth_authorizations set status = 'approved', code_hash = ${hashToken(code)},
      session_id = ${requester.sessionId ?? null}, expires_at = now() + make_interval(secs => ${codeLifetimeSeconds})
    where id = ${pending.id}`)
  await recordAudit(db, 'oauth_code_issued', requester.account, visitor, { client_id: pending.client_id })
  return codeAddress(ctx, pending, code)
}

type ClientOfGrant = {
  readonly client_id: string
  readonly client_name: string
  readonly client_uri: string | null
  readonly logo_uri: string | null
}

const renderClientOfGrant = ({ client_id, client_name, client_uri, logo_uri }: ClientOfGrant) => ({
  id: client_id,
  name: client_name,
  uri: client_uri ?? '',
  logo_uri: logo_uri ?? '',
})

/** The user's connected applications, newest first. */
export async function listGrants({ db }: AuthContext, { account }: Requester) {
  const grants = await db.rows<ClientOfGrant & { scopes: string[]; granted_at: Date }>(sql`
    select o.client_id, c.client_name, c.client_uri, c.logo_uri, o.scopes, o.granted_at
    from auth.oauth_consents o join auth.oauth_clients c on c.id = o.client_id
    where o.user_id = ${account.id} order by o.granted_at desc, o.id`)
  return grants.map((grant) => ({
    client: renderClientOfGrant(grant),
    scopes: grant.scopes,
    granted_at: grant.granted_at,
  }))
}

/**
 * Ends the application's access at once: its sessions are deleted, and every API rejects their tokens (http/ended-sessions.ts).
 * @throws GatewayError 404 `oauth_consent_not_found`.
 */
export async function revokeGrant(
  ctx: AuthContext,
  requester: Requester,
  clientId: string | undefined,
  visitor: RequestOrigin,
): Promise<void> {
  requireFullAssurance(requester, authErrors.aal2ToConnectApps)
  if (!clientId) throw authErrors.validationFailed('client_id is required')
  if (!isUuid(clientId)) throw authErrors.oauthConsentNotFound()
  const { account } = requester
  await ctx.database.transaction(serviceRole, async (db) => {
    const revoked = await db.rows(sql`
      delete from auth.oauth_consents where user_id = ${account.id} and client_id = ${clientId} returning id`)
    if (revoked.length === 0) throw authErrors.oauthConsentNotFound()
    await db.rows(sql`
      delete from auth.oauth_authorizations where user_id = ${account.id} and client_id = ${clientId} and status = 'approved'`)
    await db.rows(sql`delete from auth.sessions where user_id = ${account.id} and oauth_client_id = ${clientId}`)
    await recordAudit(db, 'oauth_consent_revoked', account, visitor, { client_id: clientId })
  })
}
