import { authErrors } from '../errors.ts'
import type { ProviderPerson } from '../providers/provider-person.ts'

/** `{"keys": {"department": {"name": "ou"}}}`, as in GoTrue: which attributes of the company to keep, and under which name. */
export type AttributeMapping = { readonly keys?: Readonly<Record<string, MappedAttribute>> }

export type MappedAttribute = {
  readonly name?: string
  /** Tried in this order; the first that was sent counts. */
  readonly names?: readonly string[]
  readonly default?: unknown
  /** All values, as a list. */
  readonly array?: boolean
}

/** A user's data from a verified assertion. */
export type Asserted = {
  readonly nameId: string | undefined
  readonly nameIdFormat: string | undefined
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

/** The attribute names under which common identity providers send an address. */
const emailAttributes = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'Mail',
  'email',
  'Email',
  'emailAddress',
]
const subjectIdAttribute = 'urn:oasis:names:tc:SAML:attribute:subject-id'
const formats = {
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
} as const
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** @throws GatewayError 400 `validation_failed` for an invalid mapping. */
export function readMapping(given: Readonly<Record<string, unknown>>): AttributeMapping {
  const { keys = {} } = given
  if (!isObject(keys) || !Object.values(keys).every(isMapped)) {
    throw authErrors.validationFailed('attribute_mapping must be {"keys": {"…": {"name": "…"}}}')
  }
  return { keys: keys as Readonly<Record<string, MappedAttribute>> }
}

function isMapped(value: unknown): boolean {
  if (!isObject(value)) return false
  const { name, names, array } = value
  const hasName = name === undefined || typeof name === 'string'
  const hasNames = names === undefined || (Array.isArray(names) && names.every((item) => typeof item === 'string'))
  return hasName && hasNames && (array === undefined || typeof array === 'boolean')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @returns the user; `id` is '' without a persistent identifier, `email` undefined without an address. */
export function personFromAssertion(providerId: string, mapping: AttributeMapping, asserted: Asserted): ProviderPerson {
  const claims = mapAttributes(mapping, asserted)
  const id = asserted.attributes[subjectIdAttribute]?.[0] ?? lastingNameId(asserted)
  const email = emailOf(claims, asserted)?.trim().toLowerCase()
  const { email: _email, ...customClaims } = claims
  const name = typeof claims.name === 'string' ? claims.name : undefined
  return {
    provider: `sso:${providerId}`,
    id: id ?? '',
    email: email !== undefined && email.length <= 255 && address.test(email) ? email : undefined,
    emailVerified: true,
    data: {
      iss: providerId,
      sub: id ?? '',
      provider_id: id ?? '',
      ...(email && { email }),
      email_verified: true,
      phone_verified: false,
      ...(name && { name, full_name: name }),
      custom_claims: customClaims,
    },
  }
}

function mapAttributes({ keys = {} }: AttributeMapping, { attributes }: Asserted): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, wanted]) => {
      const names = [wanted.name ?? [], wanted.names ?? []].flat()
      const values = names.map((name) => attributes[name]).find((sent) => sent !== undefined && sent.length > 0)
      const value = wanted.array ? values : values?.[0]
      const kept = value ?? wanted.default
      return kept === undefined ? [] : [[key, kept] as const]
    }),
  )
}

function emailOf(claims: Readonly<Record<string, unknown>>, { attributes, nameId, nameIdFormat }: Asserted) {
  if (typeof claims.email === 'string') return claims.email
  const sent = emailAttributes.map((name) => attributes[name]?.[0]).find((value) => value)
  return sent ?? (nameIdFormat === formats.email ? nameId : undefined)
}

/** A transient identifier changes at the next sign-in, so an account with it would never be found again. */
function lastingNameId({ nameId, nameIdFormat }: Asserted): string | undefined {
  return nameIdFormat === formats.transient ? undefined : nameId
}
