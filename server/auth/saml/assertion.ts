import { createHash } from 'node:crypto'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import type { Asserted } from './attributes.ts'
import type { IdentityProvider } from './metadata.ts'
import { clockToleranceMs, consumerUrl, samlWith } from './service-provider.ts'
import { findAll, parseXml, type Xml, type XmlRoot } from './xml.ts'

/** An assertion whose signature, audience, recipient, and times are valid. */
export type Assertion = Asserted & {
  readonly id: string
  /** After this time it can't be replayed. */
  readonly expiresAt: Date
  /** When the company wants the session to end. */
  readonly sessionNotAfter: Date | undefined
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
export const responseMaxLength = 256 * 1024

/** SHA-1 is forgeable, and nobody needs it any more. */
const strongAlgorithms: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])

/** The claimed issuer, before verification: it only selects the certificates to verify with. */
export async function claimedIssuer(samlResponse: string): Promise<string | undefined> {
  const root = await readResponse(samlResponse)
  const issuer = root?.element.Issuer?.[0] ?? root?.element.Assertion?.[0]?.Issuer?.[0]
  return issuer?._?.trim() || undefined
}

/**
 * Verifies an identity provider's response (SAML 2.0 profiles, section 4.1.4.3). The library reads everything from the signed bytes
 * alone, which prevents signature wrapping; audience and request are checked here.
 * @param requestId the request that it must answer; undefined for an unsolicited response, which must answer none.
 * @throws Error that says what is wrong with it.
 */
export async function verifyAssertion(
  site: Pick<AuthContext, 'siteUrl' | 'config'>,
  idp: IdentityProvider,
  samlResponse: string,
  requestId: string | undefined,
): Promise<Assertion> {
  const root = await readResponse(samlResponse)
  if (!root) throw new Error('the response is not XML')
  requireStrongSignatures(root)
  const destination = root.element.$?.Destination
  if (destination && destination !== consumerUrl(site)) throw new Error('the response is meant for another address')
  const saml = await samlWith(site, idp)
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: samlResponse })
  const assertion = (profile?.getAssertion?.() as { Assertion?: Xml } | undefined)?.Assertion
  if (!profile || !assertion) throw new Error('the response has no assertion')
  if (profile.issuer !== idp.entityId) throw new Error('the assertion is by another issuer')
  const id = assertion.$?.ID
  if (!id) throw new Error('the assertion has no ID')
  if (!assertion.Conditions?.[0]) throw new Error('the assertion has no conditions')
  const statement = assertion.AuthnStatement?.[0]
  if (!statement) throw new Error('the assertion does not say how somebody signed in')
  return {
    id,
    expiresAt: confirmedUntil(assertion, consumerUrl(site), requestId),
    sessionNotAfter: readTime(statement.$?.SessionNotOnOrAfter),
    nameId: profile.nameID,
    nameIdFormat: profile.nameIDFormat,
    attributes: readAttributes(assertion),
  }
}

/**
 * Stores an assertion's issuer and id.
 * @returns false if it was already used.
 */
export async function spendAssertion(db: CallerDb, entityId: string, { id, expiresAt }: Assertion): Promise<boolean> {
  const hash = createHash('sha256')
    .update(JSON.stringify([entityId, id]))
    .digest('hex')
  const spent = await db.rows(sql`
    insert into auth.spent_saml_assertions (assertion_hash, expires_at) values (${hash}, ${expiresAt})
    on conflict do nothing returning 1`)
  return spent.length > 0
}

/** Until when a bearer may use it here, in response to this request. */
function confirmedUntil(assertion: Xml, recipient: string, requestId: string | undefined): Date {
  const confirmations = assertion.Subject?.[0]?.SubjectConfirmation ?? []
  for (const confirmation of confirmations) {
    const data = confirmation.SubjectConfirmationData?.[0]?.$ ?? {}
    const until = readTime(data.NotOnOrAfter)
    const isForUs = confirmation.$?.Method === bearer && data.Recipient === recipient && data.InResponseTo === requestId
    if (isForUs && until && until.getTime() + clockToleranceMs > Date.now()) {
      return new Date(until.getTime() + clockToleranceMs)
    }
  }
  throw new Error('no subject confirmation is for this address, this request and this time')
}

function readAttributes(assertion: Xml): Readonly<Record<string, readonly string[]>> {
  const sent = (assertion.AttributeStatement ?? []).flatMap(({ Attribute = [] }) => Attribute)
  return Object.fromEntries(
    sent.map(({ $, AttributeValue = [] }) => [
      $?.Name ?? '',
      // xml2js returns an empty element as text.
      AttributeValue.flatMap((value: Xml | string) => (typeof value === 'string' ? value : (value._ ?? []))),
    ]),
  )
}

function readResponse(samlResponse: string): Promise<XmlRoot | undefined> {
  return parseXml(Buffer.from(samlResponse, 'base64').toString('utf8'))
}

function requireStrongSignatures(root: XmlRoot) {
  for (const element of [...findAll(root, 'SignatureMethod'), ...findAll(root, 'DigestMethod')]) {
    const algorithm = element.$?.Algorithm ?? ''
    if (!strongAlgorithms.has(algorithm)) throw new Error(`the signature uses ${algorithm}`)
  }
}

function readTime(text: string | undefined): Date | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : new Date(time)
}
