import { randomBytes } from 'node:crypto'
import { serviceRole } from '../../postgres/caller.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import {
  awaitBrowser,
  finishFlow,
  isSameBrowser,
  newFlowKeys,
  openSecrets,
  type Returned,
  returnTo,
  storeFlow,
  takeFlow,
} from '../providers/external-flow.ts'
import { accountOf } from '../providers/link-identity.ts'
import type { ProviderPerson } from '../providers/provider-person.ts'
import { allowedRedirect } from '../redirects.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import type { CodeChallenge } from '../sessions/code-challenge.ts'
import { openSession } from '../sessions/sessions.ts'
import { type Assertion, claimedIssuer, responseMaxLength, spendAssertion, verifyAssertion } from './assertion.ts'
import { personFromAssertion } from './attributes.ts'
import { currentMetadata, findSsoProvider, findSsoProviderBy, type SsoProvider } from './providers.ts'
import { requireSaml, samlWith } from './service-provider.ts'

export type SsoOptions = {
  readonly providerId: string | undefined
  readonly domain: string | undefined
  readonly redirectTo: string
  readonly codeChallenge: CodeChallenge | undefined
}

type Secrets = { readonly providerId: string; readonly requestId: string }

/**
 * Begins a sign-in with a company's identity provider (API-AUTH-15). @returns the URL to send the browser to, and the secret to
 * keep in a cookie until it is back.
 * @throws GatewayError 422 `saml_provider_disabled`; 404 `sso_provider_not_found`; 400 `validation_failed`.
 */
export async function beginSso(ctx: AuthContext, options: SsoOptions): Promise<{ url: string; browserSecret: string }> {
  requireSaml(ctx)
  const provider = await findRequested(ctx, options)
  requireEnabled(provider)
  const idp = await currentMetadata(ctx, provider)
  const keys = newFlowKeys()
  const requestId = `_${randomBytes(20).toString('hex')}`
  const saml = await samlWith(ctx, idp, { requestId, nameIdFormat: provider.saml.name_id_format })
  const secrets: Secrets = { providerId: provider.id, requestId }
  await storeFlow(ctx, keys, {
    method: 'sso/saml',
    provider: `sso:${provider.id}`,
    secrets,
    redirectTo: options.redirectTo,
    codeChallenge: options.codeChallenge,
    linkTo: undefined,
  })
  return { url: await saml.getAuthorizeUrlAsync(keys.state, undefined, {}), browserSecret: keys.browserSecret }
}

async function findRequested(ctx: AuthContext, { providerId, domain }: SsoOptions): Promise<SsoProvider> {
  if (providerId && domain) throw authErrors.validationFailed('Only one of provider_id or domain supported')
  if (providerId) return findSsoProvider(ctx, providerId)
  if (!domain) throw authErrors.validationFailed('A provider_id or domain must be provided')
  const found = await findSsoProviderBy(ctx, { domain: domain.trim().toLowerCase() })
  if (!found) throw authErrors.ssoProviderNotFound('No SSO provider assigned for this domain')
  return found
}

/** @param browserSecret from the cookie, which another site's form post usually lacks. */
export type Answer = {
  readonly samlResponse: string
  readonly relayState: string
  readonly browserSecret: string | undefined
}

/** Where the browser goes next: the page that began, or back to us, this time with our cookie. */
export type Consumed = Returned | { readonly resumeWith: string }

/**
 * Accepts a returned assertion, once. The result goes to the browser that began, as with other services
 * (authorize.ts): with a challenge by a code, without one by the cookie.
 */
export async function consumeAssertion(ctx: AuthContext, answer: Answer, visitor: RequestOrigin): Promise<Consumed> {
  requireSaml(ctx)
  const wait = await ctx.limits.samlAssertions.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const { samlResponse, relayState } = answer
  if (samlResponse === '' || samlResponse.length > responseMaxLength) {
    throw authErrors.validationFailed('SAMLResponse is missing or too long')
  }
  const flow = await takeFlow(ctx, relayState)
  if (!flow) return consumeUnsolicited(ctx, answer, visitor)
  const target = flow.redirect_to
  let resumeWith: string | undefined
  const returned = await returnTo(target, async () => {
    if (!flow.is_fresh) throw authErrors.samlRelayStateExpired()
    if (flow.authentication_method !== 'sso/saml') throw authErrors.samlRelayStateNotFound()
    const { providerId, requestId } = openSecrets<Partial<Secrets>>(ctx, flow, relayState)
    if (!providerId || !requestId) throw authErrors.samlRelayStateNotFound()
    const provider = await findSsoProvider(ctx, providerId)
    const { person, assertion } = await readPerson(ctx, provider, samlResponse, requestId, visitor)
    await spend(ctx, provider, assertion)
    const sessionNotAfter = assertion.sessionNotAfter
    if (flow.has_challenge || isSameBrowser(flow, answer.browserSecret)) {
      return finishFlow(ctx, { ...flow, session_not_after: sessionNotAfter ?? null }, person, visitor)
    }
    resumeWith = await awaitBrowser(ctx, flow, person, sessionNotAfter)
    return { code: '' }
  })
  return resumeWith === undefined ? returned : { resumeWith }
}

/** A sign-in that began at the company's portal, if the operator allows it. RelayState is then the page to open. */
async function consumeUnsolicited(
  ctx: AuthContext,
  { samlResponse, relayState }: Answer,
  visitor: RequestOrigin,
): Promise<Returned> {
  return returnTo(allowedRedirect(ctx, relayState), async () => {
    if (!ctx.config.auth.saml.allowUnsolicited) throw authErrors.samlRelayStateNotFound()
    const issuer = await claimedIssuer(samlResponse)
    const provider = issuer ? await findSsoProviderBy(ctx, { entityId: issuer }) : undefined
    if (!provider) throw authErrors.samlIdpNotFound()
    const { person, assertion } = await readPerson(ctx, provider, samlResponse, undefined, visitor)
    await spend(ctx, provider, assertion)
    return ctx.database.transaction(serviceRole, async (db) => {
      const account = await accountOf(ctx, db, person, visitor)
      await recordAudit(db, 'login', account, visitor, { provider: person.provider, unsolicited: true })
      const proof = { method: 'sso/saml', provider: person.provider, notAfter: assertion.sessionNotAfter }
      return { session: await openSession(ctx, db, account, proof, visitor) }
    })
  })
}

async function readPerson(
  ctx: AuthContext,
  provider: SsoProvider,
  samlResponse: string,
  requestId: string | undefined,
  visitor: RequestOrigin,
): Promise<{ person: ProviderPerson; assertion: Assertion }> {
  requireEnabled(provider)
  const idp = await currentMetadata(ctx, provider)
  const assertion = await verifyAssertion(ctx, idp, samlResponse, requestId).catch(async (err: unknown) => {
    ctx.log.warn({ err, sso_provider: provider.id }, 'a SAML assertion was rejected')
    await recordAudit(ctx.db, 'login_failed', undefined, visitor, { provider: `sso:${provider.id}` })
    throw authErrors.badSamlAssertion()
  })
  if (assertion.sessionNotAfter && assertion.sessionNotAfter <= new Date()) throw authErrors.badSamlAssertion()
  const person = personFromAssertion(provider.id, provider.saml.attribute_mapping, assertion)
  if (person.id === '') throw authErrors.samlNoUserId()
  if (!person.email) throw authErrors.samlNoEmail()
  return { person, assertion }
}

async function spend(ctx: AuthContext, { saml }: SsoProvider, assertion: Assertion) {
  if (await spendAssertion(ctx.db, saml.entity_id, assertion)) return
  ctx.log.warn({ entity_id: saml.entity_id }, 'a SAML assertion was replayed')
  throw authErrors.badSamlAssertion()
}

function requireEnabled({ disabled }: SsoProvider) {
  if (disabled) throw authErrors.ssoProviderNotFound('This SSO provider is disabled')
}
