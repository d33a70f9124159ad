import { X509Certificate } from 'node:crypto'
import { authErrors } from '../errors.ts'
import { findAll, parseXml, type Xml } from './xml.ts'

/** The content of an identity provider's metadata (SAML 2.0 metadata, section 2.4.3). */
export type IdentityProvider = {
  readonly entityId: string
  /** The sign-in URL for browsers (HTTP-Redirect binding). */
  readonly ssoUrl: string
  /** The signing certificates, in PEM. */
  readonly certificates: readonly string[]
}

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
export const metadataMaxLength = 512 * 1024

/** @throws GatewayError 400 `validation_failed` that says what is missing. */
export async function readMetadata(text: string): Promise<IdentityProvider> {
  const root = await parseXml(text)
  if (!root) throw refused('are not XML')
  const entities = findAll(root, 'EntityDescriptor').filter(({ IDPSSODescriptor = [] }) => IDPSSODescriptor.length > 0)
  const [entity] = entities
  const role = entity?.IDPSSODescriptor?.[0]
  if (!entity || !role) throw refused('have no EntityDescriptor of an identity provider')
  if (entities.length > 1) throw refused('describe several identity providers: give those of one')
  const entityId = entity.$?.entityID ?? ''
  if (entityId === '' || entityId.length > 1024) throw refused('have no entityID')
  if (Date.parse(entity.$?.validUntil ?? '') <= Date.now()) throw refused('have expired (validUntil)')
  const service = role.SingleSignOnService?.find(({ $ }) => $?.Binding === redirectBinding)
  const ssoUrl = service?.$?.Location ?? ''
  if (!isWebAddress(ssoUrl)) throw refused('have no SingleSignOnService with the HTTP-Redirect binding')
  return { entityId, ssoUrl, certificates: readCertificates(role) }
}

function readCertificates(role: Xml): readonly string[] {
  const keys = (role.KeyDescriptor ?? []).filter(({ $ }) => ($?.use ?? 'signing') === 'signing')
  const texts = keys.flatMap((element) => findAll({ name: 'KeyDescriptor', element }, 'X509Certificate'))
  const certificates = texts.map(({ _ = '' }) => {
    try {
      return new X509Certificate(Buffer.from(_.replaceAll(/\s/g, ''), 'base64')).toString()
    } catch {
      throw refused('have an unreadable signing certificate')
    }
  })
  if (certificates.length === 0) throw refused('have no signing certificate')
  return certificates
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol)
}

function refused(reason: string) {
  return authErrors.validationFailed(`The SAML metadata ${reason}`)
}
