import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { GatewayError } from '../http/errors.ts'
import { serviceRole } from '../postgres/caller.ts'
import { sql } from '../postgres/sql.ts'
import { findAccount } from './account.ts'
import { recordAudit } from './audit.ts'
import { type CodeChallenge, issueAuthCode } from './code-challenge.ts'
import type { AuthContext } from './context.ts'
import { authErrors } from './errors.ts'
import { fromDatabase } from './from-database.ts'
import { accountOf, linkIdentity } from './link-identity.ts'
import { beginAtProvider, finishAtProvider, type ProviderSecrets, requireProvider } from './provider-client.ts'
import type { ProviderPerson } from './provider-person.ts'
import { hashToken, openSession, type SessionResponse } from './sessions.ts'
import type { Visitor } from './visitor.ts'

export type AuthorizeWish = {
  readonly provider: string | undefined
  readonly scopes: string | undefined
  readonly redirectTo: string
  readonly codeChallenge: CodeChallenge | undefined
  /** The account to link the identity to; undefined at a sign-in. */
  readonly linkTo: string | undefined
}

/** How long somebody may take at the other service. */
const flowSeconds = 600

/**
 * Begins a sign-in with another service (API-AUTH-16, 17). @returns the address to send the browser to, and what it shall keep in a
 * cookie until it is back. @throws GatewayError 400 `provider_disabled`; 502 when the service does not answer.
 */
export async function authorize(
  ctx: AuthContext,
  wish: AuthorizeWish,
): Promise<{ url: string; browserSecret: string }> {
  const provider = requireProvider(ctx, wish.provider)
  const state = randomBytes(24).toString('base64url')
  const browserSecret = randomBytes(24).toString('base64url')
  const { url, secrets } = await beginAtProvider(ctx, provider, { state, scopes: wish.scopes }).catch(
    (cause: unknown) => {
      throw authErrors.providerUnreachable(cause)
    },
  )
  const stateHash = hashToken(state)
  await ctx.db.rows(sql`
    insert into auth.flow_state (
      code_challenge, code_challenge_method, authentication_method, provider, state_hash, browser_hash, provider_secrets, redirect_to, linking_target_id)
    values (
      ${wish.codeChallenge?.challenge ?? null}, ${wish.codeChallenge?.method ?? null}, 'oauth', ${provider.name}, ${stateHash},
      ${hashToken(browserSecret)}, ${ctx.vault.seal(JSON.stringify(secrets), stateHash)}, ${wish.redirectTo}, ${wish.linkTo ?? null})`)
  return { url, browserSecret }
}

type Flow = {
  readonly id: string
  readonly provider: string
  readonly browser_hash: string
  readonly provider_secrets: string
  readonly redirect_to: string
  readonly linking_target_id: string | null
  readonly has_challenge: boolean
  readonly is_fresh: boolean
}

export type Returned = {
  readonly target: string
  readonly outcome:
    | { readonly code: string }
    | { readonly session: SessionResponse }
    | { readonly refusal: GatewayError }
}

/**
 * Takes the person who comes back from the other service, once. With a challenge the browser that began exchanges a code for the
 * session; without one the cookie has to show that it is that browser, so that nobody is signed in to a stranger's account.
 */
export async function returnFromProvider(
  ctx: AuthContext,
  query: URLSearchParams,
  browserSecret: string | undefined,
  visitor: Visitor,
): Promise<Returned> {
  const state = query.get('state') ?? ''
  const flow = await takeFlow(ctx, state)
  if (!flow?.is_fresh) return { target: ctx.siteUrl(), outcome: { refusal: authErrors.badOauthState() } }
  const target = flow.redirect_to
  try {
    const isSameBrowser = browserSecret !== undefined && hashToken(browserSecret) === flow.browser_hash
    if (!flow.has_challenge && !isSameBrowser) throw authErrors.badOauthState()
    const person = await askProvider(ctx, flow, state, query)
    return { target, outcome: await signIn(ctx, flow, person, visitor) }
  } catch (error) {
    const refusal = error instanceof pg.DatabaseError ? fromDatabase(error) : error
    if (!(refusal instanceof GatewayError) || refusal.status >= 500) throw error
    return { target, outcome: { refusal } }
  }
}

/** The state is forgotten before the service is asked: whatever comes of it, it comes once. */
async function takeFlow({ db }: AuthContext, state: string): Promise<Flow | undefined> {
  const [flow] = await db.rows<Flow>(sql`
    update auth.flow_state set state_hash = null where state_hash = ${hashToken(state)}
    returning id, provider, browser_hash, provider_secrets, redirect_to, linking_target_id,
      code_challenge is not null as has_challenge, created_at > now() - make_interval(secs => ${flowSeconds}) as is_fresh`)
  return flow
}

async function askProvider(
  ctx: AuthContext,
  flow: Flow,
  state: string,
  query: URLSearchParams,
): Promise<ProviderPerson> {
  if (query.has('error')) throw authErrors.refusedByProvider(query.get('error_description') ?? query.get('error') ?? '')
  const provider = requireProvider(ctx, flow.provider)
  const secrets: ProviderSecrets = JSON.parse(ctx.vault.open(flow.provider_secrets, hashToken(state)))
  const person = await finishAtProvider(ctx, provider, { query, state, secrets }).catch((err: unknown) => {
    ctx.log.warn({ err, provider: provider.name }, 'an answer of a sign-in provider was refused')
    throw authErrors.badOauthCallback()
  })
  if (person.id === '') throw authErrors.badOauthCallback()
  return person
}

async function signIn(
  ctx: AuthContext,
  flow: Flow,
  person: ProviderPerson,
  visitor: Visitor,
): Promise<Returned['outcome']> {
  return ctx.database.transaction(serviceRole, async (db) => {
    const owner = flow.linking_target_id ? await findAccount(db, flow.linking_target_id) : undefined
    const account = owner ? await linkIdentity(db, owner, person, visitor) : await accountOf(ctx, db, person, visitor)
    if (flow.has_challenge) {
      await db.rows(sql`update auth.flow_state set user_id = ${account.id} where id = ${flow.id}`)
      return { code: await issueAuthCode(db, flow.id) }
    }
    await db.rows(sql`delete from auth.flow_state where id = ${flow.id}`)
    await recordAudit(db, 'login', account, visitor, { provider: person.provider })
    return { session: await openSession(ctx, db, account, { method: 'oauth', provider: person.provider }, visitor) }
  })
}
