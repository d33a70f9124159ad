import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'
import 'reflect-metadata'
import { X509CertificateGenerator } from '@peculiar/x509'
import { SignedXml } from 'xml-crypto'

/** The provider's next response. Everything but `person` is valid unless a test changes it. */
export type Saying = {
  person: { nameId: string; attributes?: Record<string, string | readonly string[]> }
  nameIdFormat?: string
  audience?: string
  recipient?: string
  destination?: string
  issuer?: string
  /** null: answers no request. */
  inResponseTo?: string | null
  /** Seconds from now. */
  notBefore?: number
  notOnOrAfter?: number
  sessionNotOnOrAfter?: number
  assertionId?: string
  /** A key that isn't in the metadata. */
  forged?: boolean
  sign?: 'assertion' | 'response' | 'nothing'
  weak?: boolean
  /** Changes the XML after it was signed. */
  tamper?: (xml: string) => string
}

export type TestIdentityProvider = {
  readonly entityId: string
  readonly metadataUrl: string
  metadata(): string
  say: Saying
  /** A browser's visit: it signs in, and gets a form to post. */
  visit(url: string): Promise<{ acs: string; samlResponse: string; relayState: string; requestId: string }>
  /** An unsolicited response. */
  unsolicited(acs: string, audience: string): string
  close(): Promise<void>
}

type Keys = { readonly privateKey: string; readonly certificate: string }

/** A small SAML identity provider on this machine, with its own key. It asks no questions: every visitor is `say.person`. */
export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const [own, stranger] = await Promise.all([makeKeys(), makeKeys()])
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://idp')
    if (url.pathname === '/metadata') return response.setHeader('content-type', 'application/xml').end(idp.metadata())
    if (url.pathname === '/login') return response.end(answerForm(url))
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const entityId = `${base}/metadata`

  function answerForm({ searchParams }: URL): string {
    const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(request)?.[1] ?? ''
    const acs = attribute('AssertionConsumerServiceURL')
    const requestId = attribute('ID')
    const audience = /<saml:Issuer[^>]*>([^<]*)</.exec(request)?.[1] ?? ''
    return JSON.stringify({
      acs,
      requestId,
      relayState: searchParams.get('RelayState') ?? '',
      samlResponse: respond(idp.say, { acs, audience, requestId, entityId }, own, stranger),
    })
  }

  const idp: TestIdentityProvider = {
    entityId,
    metadataUrl: entityId,
    say: { person: { nameId: 'nobody' } },
    metadata: () =>
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${own.certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${base}/login"/></md:IDPSSODescriptor></md:EntityDescriptor>`,
    visit: async (url) => (await (await fetch(url)).json()) as Awaited<ReturnType<TestIdentityProvider['visit']>>,
    unsolicited: (acs, audience) => respond(idp.say, { acs, audience, requestId: null, entityId }, own, stranger),
    close: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  }
  return idp
}

type Asked = {
  readonly acs: string
  readonly audience: string
  readonly requestId: string | null
  readonly entityId: string
}

function respond(say: Saying, asked: Asked, own: Keys, stranger: Keys): string {
  const keys = say.forged ? stranger : own
  const sign = say.sign ?? 'assertion'
  const signed =
    sign === 'assertion' ? signElement(assertionXml(say, asked), 'Assertion', keys, say) : assertionXml(say, asked)
  const issuer = say.issuer ?? asked.entityId
  const inResponseTo = say.inResponseTo === undefined ? asked.requestId : say.inResponseTo
  const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${time(0)}" Destination="${say.destination ?? asked.acs}"${inResponseTo ? ` InResponseTo="${inResponseTo}"` : ''}><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${signed}</samlp:Response>`
  const xml = sign === 'response' ? signElement(response, 'Response', keys, say) : response
  return Buffer.from(say.tamper?.(xml) ?? xml).toString('base64')
}

function assertionXml(say: Saying, { acs, audience, requestId, entityId }: Asked): string {
  const inResponseTo = say.inResponseTo === undefined ? requestId : say.inResponseTo
  const until = time(say.notOnOrAfter ?? 300)
  const attributes = Object.entries(say.person.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  )
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${say.assertionId ?? `_a${randomBytes(8).toString('hex')}`}" Version="2.0" IssueInstant="${time(0)}"><saml:Issuer>${say.issuer ?? entityId}</saml:Issuer><saml:Subject><saml:NameID Format="${say.nameIdFormat ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'}">${say.person.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${say.recipient ?? acs}" NotOnOrAfter="${until}"${inResponseTo ? ` InResponseTo="${inResponseTo}"` : ''}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${time(say.notBefore ?? -5)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${say.audience ?? audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${time(0)}"${say.sessionNotOnOrAfter ? ` SessionNotOnOrAfter="${time(say.sessionNotOnOrAfter)}"` : ''}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion>`
}

function signElement(
  xml: string,
  name: 'Assertion' | 'Response',
  { privateKey }: Keys,
  { weak = false }: Saying,
): string {
  const signature = new SignedXml({
    privateKey,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    signatureAlgorithm: weak
      ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
      : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  })
  signature.addReference({
    xpath: `/*[local-name(.)='${name}']`,
    digestAlgorithm: weak ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  })
  const location = { reference: `/*[local-name(.)='${name}']/*[local-name(.)='Issuer']`, action: 'after' } as const
  signature.computeSignature(xml, { location })
  return signature.getSignedXml()
}

async function makeKeys(): Promise<Keys> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=identity provider of the tests',
    keys,
    signingAlgorithm: algorithm,
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    privateKey: `-----BEGIN PRIVATE KEY-----\n${pkcs8.replaceAll(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----`,
    certificate: Buffer.from(certificate.rawData).toString('base64'),
  }
}

const time = (secondsFromNow: number) => new Date(Date.now() + secondsFromNow * 1000).toISOString()
