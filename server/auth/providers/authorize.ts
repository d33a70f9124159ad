import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { CodeChallenge } from '../sessions/code-challenge.ts'
import {
  type Flow,
  finishFlow,
  isSameBrowser,
  newFlowKeys,
  openSecrets,
  type Returned,
  returnTo,
  storeFlow,
  takeFlow,
} from './external-flow.ts'
import { beginAtProvider, finishAtProvider, type ProviderSecrets, requireProvider } from './provider-client.ts'
import type { ProviderPerson } from './provider-person.ts'

export type AuthorizeOptions = {
  readonly provider: string | undefined
  readonly scopes: string | undefined
  readonly redirectTo: string
  readonly codeChallenge: CodeChallenge | undefined
  /** The account to link the identity to; undefined for a sign-in. */
  readonly linkTo: string | undefined
}

/**
 * Begins a sign-in with another service (API-AUTH-16, 17). @returns the URL to send the browser to, and the secret to keep in a
 * cookie until it is back. @throws GatewayError 400 `provider_disabled`; 502 if the service doesn't respond.
 */
export async function authorize(
  ctx: AuthContext,
  { scopes, redirectTo, codeChallenge, linkTo, ...options }: AuthorizeOptions,
): Promise<{ url: string; browserSecret: string }> {
  const provider = requireProvider(ctx, options.provider)
  const keys = newFlowKeys()
  const { url, secrets } = await beginAtProvider(ctx, provider, { state: keys.state, scopes }).catch(
    (cause: unknown) => {
      throw authErrors.providerUnreachable(cause)
    },
  )
  await storeFlow(ctx, keys, { method: 'oauth', provider: provider.name, secrets, redirectTo, codeChallenge, linkTo })
  return { url, browserSecret: keys.browserSecret }
}

/**
 * Completes a return from the other service, once. With a challenge, the browser that began exchanges a code for the
 * session. Without one, the cookie must prove that it is that browser, so that nobody is signed in to a stranger's account.
 */
export async function returnFromProvider(
  ctx: AuthContext,
  query: URLSearchParams,
  browserSecret: string | undefined,
  visitor: RequestOrigin,
): Promise<Returned> {
  const state = query.get('state') ?? ''
  const flow = await takeFlow(ctx, state)
  if (!flow?.is_fresh) return { target: ctx.siteUrl(), outcome: { refusal: authErrors.badOauthState() } }
  return returnTo(flow.redirect_to, async () => {
    if (!flow.has_challenge && !isSameBrowser(flow, browserSecret)) throw authErrors.badOauthState()
    const { person } = openSecrets<{ person?: ProviderPerson }>(ctx, flow, state)
    // A SAML user is already known here (saml/sign-in.ts).
    return finishFlow(ctx, flow, person ?? (await askProvider(ctx, flow, state, query)), visitor)
  })
}

async function askProvider(
  ctx: AuthContext,
  flow: Flow,
  state: string,
  query: URLSearchParams,
): Promise<ProviderPerson> {
  if (flow.authentication_method !== 'oauth') throw authErrors.badOauthState()
  if (query.has('error')) throw authErrors.refusedByProvider(query.get('error_description') ?? query.get('error') ?? '')
  const provider = requireProvider(ctx, flow.provider)
  const secrets = openSecrets<ProviderSecrets>(ctx, flow, state)
  const person = await finishAtProvider(ctx, provider, { query, state, secrets }).catch((err: unknown) => {
    ctx.log.warn({ err, provider: provider.name }, 'the response of a sign-in provider was rejected')
    throw authErrors.badOauthCallback()
  })
  if (person.id === '') throw authErrors.badOauthCallback()
  return person
}
