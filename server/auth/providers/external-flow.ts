import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { GatewayError } from '../../http/errors.ts'
import { serviceRole } from '../../postgres/caller.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { fromDatabase } from '../from-database.ts'
import type { RequestOrigin } from '../request-origin.ts'
import { type CodeChallenge, issueAuthCode } from '../sessions/code-challenge.ts'
import { hashToken, openSession, type SessionResponse } from '../sessions/sessions.ts'
import { findAccount } from '../users/account.ts'
import { accountOf, linkIdentity, requireFreeIdentity } from './link-identity.ts'
import type { ProviderPerson } from './provider-person.ts'

/** How long a user may take at the other service. */
const flowSeconds = 600

export type FlowOptions = {
  readonly method: 'oauth' | 'sso/saml'
  readonly provider: string
  /** Stored encrypted until the user returns. */
  readonly secrets: object
  readonly redirectTo: string
  readonly codeChallenge: CodeChallenge | undefined
  /** The account to link the identity to; undefined for a sign-in. */
  readonly linkTo: string | undefined
}

/** The state that goes out with the user and must come back, and the secret that the browser keeps in a cookie. */
export type FlowKeys = { readonly state: string; readonly browserSecret: string }

export function newFlowKeys(): FlowKeys {
  return { state: randomBytes(24).toString('base64url'), browserSecret: randomBytes(24).toString('base64url') }
}

/** A sign-in that continues at another service. */
export async function storeFlow(
  ctx: AuthContext,
  { state, browserSecret }: FlowKeys,
  options: FlowOptions,
): Promise<void> {
  const stateHash = hashToken(state)
  await ctx.db.rows(sql`
    insert into auth.flow_state (
      code_challenge, code_challenge_method, authentication_method, provider, state_hash, browser_hash, provider_secrets, redirect_to, linking_target_id)
    values (
      ${options.codeChallenge?.challenge ?? null}, ${options.codeChallenge?.method ?? null}, ${options.method}, ${options.provider}, ${stateHash},
      ${hashToken(browserSecret)}, ${ctx.vault.seal(JSON.stringify(options.secrets), stateHash)}, ${options.redirectTo}, ${options.linkTo ?? null})`)
}

export type Flow = {
  readonly id: string
  readonly authentication_method: string
  readonly provider: string
  readonly browser_hash: string
  readonly provider_secrets: string
  readonly redirect_to: string
  readonly linking_target_id: string | null
  readonly session_not_after: Date | null
  readonly has_challenge: boolean
  readonly is_fresh: boolean
}

/** Deletes the state before checking anything else, so that it works only once, whatever the outcome. */
export async function takeFlow({ db }: AuthContext, state: string): Promise<Flow | undefined> {
  const [flow] = await db.rows<Flow>(sql`
    update auth.flow_state set state_hash = null where state_hash = ${hashToken(state)}
    returning id, authentication_method, provider, browser_hash, provider_secrets, redirect_to, linking_target_id, session_not_after,
      code_challenge is not null as has_challenge, created_at > now() - make_interval(secs => ${flowSeconds}) as is_fresh`)
  return flow
}

/** The data that `storeFlow` or `awaitBrowser` stored. */
export function openSecrets<Secrets>(ctx: AuthContext, flow: Flow, state: string): Secrets {
  return JSON.parse(ctx.vault.open(flow.provider_secrets, hashToken(state))) as Secrets
}

/**
 * Stores the returned user until the browser itself asks, because another site's form comes without our cookie.
 * @returns the state to ask with.
 */
export async function awaitBrowser(ctx: AuthContext, flow: Flow, person: ProviderPerson, sessionNotAfter?: Date) {
  const { state } = newFlowKeys()
  const stateHash = hashToken(state)
  await ctx.db.rows(sql`
    update auth.flow_state set
      state_hash = ${stateHash}, provider_secrets = ${ctx.vault.seal(JSON.stringify({ person }), stateHash)},
      session_not_after = ${sessionNotAfter ?? null}
    where id = ${flow.id}`)
  return state
}

export function isSameBrowser({ browser_hash }: Flow, browserSecret: string | undefined): boolean {
  return browserSecret !== undefined && hashToken(browserSecret) === browser_hash
}

/** The result of a flow: a code for the browser that knows the verifier, a session, or an error. */
export type Returned = {
  readonly target: string
  readonly outcome:
    | { readonly code: string }
    | { readonly session: SessionResponse }
    | { readonly refusal: GatewayError }
}

/** An error goes to the page that began, which shows it to the user; a failure of ours gets an error response. */
export async function returnTo(target: string, finish: () => Promise<Returned['outcome']>): Promise<Returned> {
  try {
    return { target, outcome: await finish() }
  } catch (error) {
    const refusal = error instanceof pg.DatabaseError ? fromDatabase(error) : error
    if (!(refusal instanceof GatewayError) || refusal.status >= 500) throw error
    return { target, outcome: { refusal } }
  }
}

/** Signs in the returned user, or links the identity. */
export async function finishFlow(
  ctx: AuthContext,
  flow: Flow,
  person: ProviderPerson,
  visitor: RequestOrigin,
): Promise<Returned['outcome']> {
  return ctx.database.transaction(serviceRole, async (db) => {
    if (flow.has_challenge && flow.linking_target_id) {
      // Linked only when the browser that began exchanges the code: a user who is tricked into following a stranger's link ends up
      // with a code that their browser can't use, and keeps their identity.
      await requireFreeIdentity(db, flow.linking_target_id, person)
      await db.rows(sql`
        update auth.flow_state set user_id = ${flow.linking_target_id},
          provider_secrets = ${ctx.vault.seal(JSON.stringify(person), flow.id)} where id = ${flow.id}`)
      return { code: await issueAuthCode(db, flow.id) }
    }
    const owner = flow.linking_target_id ? await findAccount(db, flow.linking_target_id) : undefined
    const account = owner ? await linkIdentity(db, owner, person, visitor) : await accountOf(ctx, db, person, visitor)
    if (flow.has_challenge) {
      await db.rows(sql`
        update auth.flow_state set user_id = ${account.id}, session_not_after = ${flow.session_not_after} where id = ${flow.id}`)
      return { code: await issueAuthCode(db, flow.id) }
    }
    await db.rows(sql`delete from auth.flow_state where id = ${flow.id}`)
    await recordAudit(db, 'login', account, visitor, { provider: person.provider })
    const proof = {
      method: flow.authentication_method,
      provider: person.provider,
      notAfter: flow.session_not_after ?? undefined,
    }
    return { session: await openSession(ctx, db, account, proof, visitor) }
  })
}
