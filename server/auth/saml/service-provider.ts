import type { SAML } from '@node-saml/node-saml'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { IdentityProvider } from './metadata.ts'

/** Loaded when it is first needed: most sites have no identity provider. */
const library = () => import('@node-saml/node-saml')

type Site = Pick<AuthContext, 'siteUrl' | 'config'>

/** Our entity id, which is also the URL of our metadata. */
function ownEntityId({ siteUrl }: Pick<AuthContext, 'siteUrl'>): string {
  return `${siteUrl()}/auth/v1/sso/saml/metadata`
}

/** Where browsers post assertions. */
export function consumerUrl({ siteUrl }: Pick<AuthContext, 'siteUrl'>): string {
  return `${siteUrl()}/auth/v1/sso/saml/acs`
}

/** @throws GatewayError 422 `saml_provider_disabled`. */
export function requireSaml({ config }: Pick<AuthContext, 'config'>) {
  if (!config.auth.saml.enabled) throw authErrors.samlDisabled()
}

type Request = { readonly requestId: string; readonly nameIdFormat: string | null }

/** The tolerated difference between two machines' clocks. */
export const clockToleranceMs = 30_000

/**
 * The library's configuration. `assertion.ts` checks the request, the audience, and replays:
 * the library would keep them in this process's memory.
 */
export async function samlWith(site: Site, idp: IdentityProvider, request?: Request): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await library()
  const { signing } = site.config.auth.saml
  return new SAML({
    issuer: ownEntityId(site),
    audience: ownEntityId(site),
    callbackUrl: consumerUrl(site),
    entryPoint: idp.ssoUrl,
    idpCert: [...idp.certificates],
    idpIssuer: idp.entityId,
    identifierFormat: request?.nameIdFormat ?? null,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.never,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: clockToleranceMs,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    ...(signing && { privateKey: signing.privateKey }),
    ...(request && { generateUniqueId: () => request.requestId }),
  })
}

/** Our side, as an identity provider's administrator enters it. */
export async function ownMetadata(site: Site): Promise<string> {
  const { SAML } = await library()
  const { signing } = site.config.auth.saml
  const saml = new SAML({
    issuer: ownEntityId(site),
    callbackUrl: consumerUrl(site),
    idpCert: 'of no matter here',
    identifierFormat: null,
    wantAssertionsSigned: true,
    ...(signing && { privateKey: signing.privateKey, signatureAlgorithm: 'sha256' }),
  })
  return saml.generateServiceProviderMetadata(null, signing?.certificate ?? null)
}
