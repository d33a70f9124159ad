import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { type Saying, startIdentityProvider, type TestIdentityProvider } from '../testing/identity-provider.ts'
import { patient, pkceClient } from '../testing/mailbox.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
let portal: TestGateway
let idp: TestIdentityProvider
let providerId: string
const domain = 'example.org'
const mapping = {
  keys: {
    department: { name: 'ou' },
    groups: { name: 'memberOf', array: true },
    name: { names: ['displayName', 'cn'] },
    plan: { name: 'plan', default: 'free' },
  },
}

beforeAll(async () => {
  idp = await startIdentityProvider()
  const env = { ...patient, AUTH_SAML_ENABLED: '1', ADMIN_EMAIL: 'boss@example.org' }
  ;[gateway, portal] = await Promise.all([
    startGateway({ env }),
    startGateway({ env: { ...env, AUTH_SAML_ALLOW_UNSOLICITED: '1' } }),
  ])
  const { body } = await admin('POST', '', {
    type: 'saml',
    metadata_url: idp.metadataUrl,
    domains: [domain],
    attribute_mapping: mapping,
  })
  providerId = String(body.id)
  await admin('POST', '', { type: 'saml', metadata_xml: idp.metadata() }, portal)
})
afterAll(async () => {
  await Promise.all([gateway.close(), portal.close()])
  await idp.close()
})

/** The requests of operators' tools: auth-js has no client for these paths. */
async function admin(method: string, path: string, body?: object, to = gateway, key = to.secrets.serviceRoleKey) {
  const response = await fetch(`${to.url}/auth/v1/admin/sso/providers${path}`, {
    method,
    headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> & { items?: unknown[] } }
}

let serial = 0
function say(more: Partial<Saying> = {}): Saying {
  const nameId = `person-${++serial}`
  idp.say = { person: { nameId, attributes: { mail: `${nameId}@${domain}` } }, ...more }
  return idp.say
}

/** Posts an assertion as the browser does, from the other site's page: without our cookies unless they are given. */
async function post(form: Record<string, string>, { cookie = '', to = gateway } = {}) {
  const response = await fetch(`${to.url}/auth/v1/sso/saml/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(cookie && { cookie }) },
    body: new URLSearchParams(form).toString(),
  })
  const location = response.headers.get('location')
  const body = location ? {} : ((await response.json()) as Record<string, unknown>)
  return { status: response.status, target: new URL(location ?? 'about:blank'), body }
}

const errorOf = (target: URL) => target.searchParams.get('error_code')

async function begin(client = pkceClient(gateway)) {
  const { data, error } = await client.auth.signInWithSSO({ domain, options: { redirectTo: `${gateway.url}/welcome` } })
  expect(error).toBeNull()
  return { client, url: data?.url ?? '' }
}

async function signIn(client = pkceClient(gateway)) {
  const { url } = await begin(client)
  const { samlResponse, relayState } = await idp.visit(url)
  const back = await post({ SAMLResponse: samlResponse, RelayState: relayState })
  const code = back.target.searchParams.get('code')
  return {
    back,
    samlResponse,
    relayState,
    ...(code ? await client.auth.exchangeCodeForSession(code) : { data: null, error: null }),
  }
}

/** The error for a response that is wrong in one way. */
async function refusalOf(more: Partial<Saying>) {
  say(more)
  const { back } = await signIn()
  return errorOf(back.target)
}

describe('single sign-on [API-AUTH-15]', () => {
  it('creates an account for the company, and finds it again [API-AUTH-15]', async () => {
    const { person } = say({
      person: {
        nameId: 'ada',
        attributes: { mail: 'Ada@example.org', ou: 'Design', memberOf: ['staff', 'admins'], cn: 'Ada Example' },
      },
    })
    const first = await signIn()
    expect(first.error).toBeNull()
    expect(first.back.target.href).toMatch(`${gateway.url}/welcome?`)
    expect(first.data?.user).toMatchObject({
      email: 'ada@example.org',
      is_sso_user: true,
      app_metadata: { provider: `sso:${providerId}`, providers: [`sso:${providerId}`] },
      user_metadata: {
        name: 'Ada Example',
        custom_claims: { department: 'Design', groups: ['staff', 'admins'], plan: 'free' },
      },
      identities: [{ id: 'ada', provider: `sso:${providerId}` }],
    })
    expect(decodeJwt(first.data?.session?.access_token ?? '').amr).toMatchObject([{ method: 'sso/saml' }])
    idp.say = { person: { ...person, attributes: { mail: 'ada.new@example.org' } } }
    const second = await signIn()
    expect(second.data?.user).toMatchObject({ id: first.data?.user?.id, email: 'ada.new@example.org' })
    const [login] = await gateway.query(
      `select payload from auth.audit_log_entries where payload ->> 'action' = 'login' and payload ->> 'actor_id' = $1`,
      [first.data?.user?.id],
    )
    expect(login?.payload).toMatchObject({ actor_via_sso: true, traits: { provider: `sso:${providerId}` } })
  })

  it("never gives the company an existing account, or an admin's", async () => {
    const victim = await gateway.service.auth.admin.createUser({ email: 'victim@example.org', email_confirm: true })
    say({ person: { nameId: 'somebody', attributes: { mail: 'victim@example.org' } } })
    const { data } = await signIn()
    expect(data?.user?.id).toEqual(expect.any(String))
    expect(data?.user?.id).not.toBe(victim.data.user?.id)
    say({ person: { nameId: 'boss', attributes: { mail: 'boss@example.org' } } })
    const boss = await signIn()
    expect(boss.data?.user?.email).toBe('boss@example.org')
    expect(await gateway.query('select from public.user_roles where user_id = $1', [boss.data?.user?.id])).toEqual([])
  })

  it('leaves address, number, and password of such an account to the company', async () => {
    say()
    const client = pkceClient(gateway)
    await signIn(client)
    for (const change of [{ email: 'other@example.org' }, { password: 'correct horse battery' }]) {
      expect((await client.auth.updateUser(change)).error?.code).toBe('user_sso_managed')
    }
    expect((await client.auth.updateUser({ data: { nickname: 'Ada' } })).error).toBeNull()
  })

  it('ends the session when the company says so', async () => {
    say({ sessionNotOnOrAfter: 3600 })
    const { data } = await signIn()
    const [session] = await gateway.query<{ left: string }>(
      'select extract(epoch from not_after - now()) as left from auth.sessions where user_id = $1',
      [data?.user?.id],
    )
    expect(Number(session?.left)).toBeGreaterThan(3500)
    expect(await refusalOf({ sessionNotOnOrAfter: -60 })).toBe('validation_failed')
  })

  it('without a challenge, gives a session to the browser that began, by its cookie, and to no other', async () => {
    const begun = async () => {
      const response = await fetch(`${gateway.url}/auth/v1/sso`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ domain, skip_http_redirect: true, redirect_to: `${gateway.url}/welcome` }),
      })
      const { url } = (await response.json()) as { url: string }
      const { samlResponse, relayState } = await idp.visit(url)
      const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const { target } = await post({ SAMLResponse: samlResponse, RelayState: relayState })
      expect(target.pathname).toBe('/auth/v1/callback')
      return { cookie, target }
    }
    say()
    const own = await begun()
    const came = await fetch(own.target, { redirect: 'manual', headers: { cookie: own.cookie } })
    expect(came.headers.get('location')).toMatch(/\/welcome#access_token=/)
    say()
    const victim = await begun()
    const led = await fetch(victim.target, { redirect: 'manual', headers: { cookie: own.cookie } })
    expect(led.headers.get('location')).toMatch(/error_code=bad_oauth_state/)
    const late = await fetch(victim.target, { redirect: 'manual', headers: { cookie: victim.cookie } })
    expect(late.headers.get('location')).toMatch(/error_code=bad_oauth_state/)
  })

  it('returns an error for an unknown company', async () => {
    const client = pkceClient(gateway)
    const unknown = await client.auth.signInWithSSO({ domain: 'example.net' })
    expect(unknown.error).toMatchObject({ code: 'sso_provider_not_found', status: 404 })
    expect((await client.auth.signInWithSSO({ providerId: randomUUID() })).error?.code).toBe('sso_provider_not_found')
    expect((await client.auth.signInWithSSO({ providerId: 'no id' })).error?.code).toBe('sso_provider_not_found')
    expect((await client.auth.signInWithSSO({ domain: '' })).error?.code).toBe('validation_failed')
  })

  it('leads only to our own pages', async () => {
    say()
    const client = pkceClient(gateway)
    const { data } = await client.auth.signInWithSSO({ providerId, options: { redirectTo: 'https://evil.example/' } })
    const { samlResponse, relayState } = await idp.visit(data?.url ?? '')
    const { target } = await post({ SAMLResponse: samlResponse, RelayState: relayState })
    expect(target.origin).toBe(gateway.url)
  })

  it('publishes the metadata for identity providers', async () => {
    const response = await fetch(`${gateway.url}/auth/v1/sso/saml/metadata`)
    expect(response.headers.get('content-type')).toMatch('application/xml')
    const xml = await response.text()
    expect(xml).toContain(`entityID="${gateway.url}/auth/v1/sso/saml/metadata"`)
    expect(xml).toContain(`Location="${gateway.url}/auth/v1/sso/saml/acs"`)
    expect(xml).toContain('WantAssertionsSigned="true"')
    const settings = (await (await fetch(`${gateway.url}/auth/v1/settings`)).json()) as { saml_enabled: boolean }
    expect(settings.saml_enabled).toBe(true)
  })
})

describe('an assertion is rejected', () => {
  it.each<[string, Partial<Saying>]>([
    ['signed with another key', { forged: true }],
    ['not signed', { sign: 'nothing' }],
    ['in a signed response, without a signature of its own', { sign: 'response' }],
    ['signed with SHA-1', { weak: true }],
    ['for another audience', { audience: 'https://other.example' }],
    ['for another recipient', { recipient: 'https://other.example/acs' }],
    ['sent to another destination', { destination: 'https://other.example/acs' }],
    ['by another issuer', { issuer: 'https://other.example' }],
    ['expired', { notOnOrAfter: -120 }],
    ['not valid yet', { notBefore: 120 }],
    ['that answers another request', { inResponseTo: '_another' }],
    ['that answers no request', { inResponseTo: null }],
    ['changed after it was signed', { tamper: (xml) => xml.replace(/person-\d+@/, 'victim@') }],
    ['with a document type', { tamper: (xml) => `<!DOCTYPE x [<!ENTITY a "b">]>${xml}` }],
    ["that isn't XML", { tamper: () => 'hello' }],
    [
      'next to a second assertion',
      { tamper: (xml) => xml.replace('</samlp:Response>', `${forgedAssertion(xml)}</samlp:Response>`) },
    ],
    [
      'wrapped: a forged assertion holds the signed one',
      { tamper: (xml) => xml.replace(assertionOf(xml), forgedAround(xml)) },
    ],
    [
      'wrapped: the signed one is moved out of the way, under the same ID',
      {
        tamper: (xml) =>
          xml.replace(
            assertionOf(xml),
            `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${forgedAssertion(xml)}`,
          ),
      },
    ],
  ])('%s', async (_what, wrong) => {
    expect(await refusalOf(wrong)).toBe('validation_failed')
  })

  it('without a persistent identifier or an address', async () => {
    expect(await refusalOf({ nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' })).toBe(
      'saml_assertion_no_user_id',
    )
    expect(await refusalOf({ person: { nameId: 'quiet' } })).toBe('saml_assertion_no_email')
  })

  it('if it is replayed, in its own flow and in another one', async () => {
    say({ assertionId: '_twice' })
    const first = await signIn()
    expect(first.error).toBeNull()
    const again = await post({ SAMLResponse: first.samlResponse, RelayState: first.relayState })
    expect(errorOf(again.target)).toBe('saml_relay_state_not_found')
    expect(await refusalOf({ assertionId: '_twice' })).toBe('validation_failed')
  })

  it('in a flow of another kind, an invented one, or one that took too long', async () => {
    say()
    const { client, url } = await begin()
    const { samlResponse, relayState } = await idp.visit(url)
    expect(errorOf((await post({ SAMLResponse: samlResponse, RelayState: 'invented' })).target)).toBe(
      'saml_relay_state_not_found',
    )
    await gateway.query(
      `update auth.flow_state set created_at = now() - interval '11 minutes' where state_hash is not null`,
    )
    expect(errorOf((await post({ SAMLResponse: samlResponse, RelayState: relayState })).target)).toBe(
      'saml_relay_state_expired',
    )
    expect((await client.auth.getSession()).data.session).toBeNull()
    expect((await post({ SAMLResponse: '' })).body).toMatchObject({ error_code: 'validation_failed' })
  })

  it('reads a name completely, even with comments in it', async () => {
    say({ person: { nameId: 'admin<!-- -->.evil', attributes: { mail: 'x@example.org' } } })
    const { data } = await signIn()
    expect(data?.user?.identities?.[0]?.id).toBe('admin.evil')
  })
})

describe('a sign-in that begins at the company', () => {
  const addresses = (to: TestGateway) =>
    [`${to.url}/auth/v1/sso/saml/acs`, `${to.url}/auth/v1/sso/saml/metadata`] as const

  it('is rejected unless the operator allows it', async () => {
    say()
    const { target } = await post({ SAMLResponse: idp.unsolicited(...addresses(gateway)), RelayState: '' })
    expect(errorOf(target)).toBe('saml_relay_state_not_found')
  })

  it('opens a session once, on a page of ours', async () => {
    say()
    const answer = idp.unsolicited(...addresses(portal))
    const { target } = await post({ SAMLResponse: answer, RelayState: `${portal.url}/home` }, { to: portal })
    expect(target.href).toMatch(`${portal.url}/home#access_token=`)
    const again = await post({ SAMLResponse: answer, RelayState: 'https://evil.example/' }, { to: portal })
    expect(again.target.origin).toBe(portal.url)
    expect(errorOf(again.target)).toBe('validation_failed')
  })

  it('rejects a response to a request, and an unregistered company', async () => {
    say({ inResponseTo: '_stolen' })
    const stolen = await post({ SAMLResponse: idp.unsolicited(...addresses(portal)) }, { to: portal })
    expect(errorOf(stolen.target)).toBe('validation_failed')
    say({ issuer: 'https://unknown.example' })
    const unknown = await post({ SAMLResponse: idp.unsolicited(...addresses(portal)) }, { to: portal })
    expect(errorOf(unknown.target)).toBe('saml_idp_not_found')
  })
})

describe('/admin/sso/providers', () => {
  it('is only for the service key', async () => {
    const { status, body } = await admin('GET', '', undefined, gateway, gateway.secrets.anonKey)
    expect([status, body.error_code]).toEqual([403, 'not_admin'])
  })

  it('registers, shows, changes, and removes a company', async () => {
    const other = await startIdentityProvider()
    const made = await admin('POST', '', {
      type: 'saml',
      metadata_xml: other.metadata(),
      domains: ['Example.COM'],
      resource_id: 'acme',
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        resource_id: 'acme',
        saml: { entity_id: other.entityId, attribute_mapping: {} },
        domains: [{ domain: 'example.com' }],
      },
    })
    const path = `/${made.body.id}`
    expect((await admin('GET', '')).body.items).toHaveLength(2)
    expect((await admin('GET', path)).body).toEqual(made.body)
    const changed = await admin('PUT', path, {
      domains: ['example.com', 'example.co'],
      metadata_url: other.metadataUrl,
      disabled: true,
    })
    expect(changed.body).toMatchObject({
      disabled: true,
      saml: { metadata_url: other.metadataUrl },
      domains: [{ domain: 'example.co' }, { domain: 'example.com' }],
    })
    expect((await gateway.client().auth.signInWithSSO({ domain: 'example.co' })).error?.code).toBe(
      'sso_provider_not_found',
    )
    expect((await admin('PUT', path, { metadata_xml: idp.metadata() })).body.error_code).toBe('saml_entity_id_mismatch')
    expect((await admin('PUT', path, { domains: [domain] })).body.error_code).toBe('sso_domain_already_exists')
    expect((await admin('DELETE', path)).body.id).toBe(made.body.id)
    expect((await admin('GET', path)).body.error_code).toBe('sso_provider_not_found')
    await other.close()
  })

  it.each<[string, object]>([
    ['validation_failed', { metadata_xml: 'x' }],
    ['validation_failed', { type: 'saml' }],
    ['validation_failed', { type: 'saml', metadata_xml: '<a' }],
    ['validation_failed', { type: 'saml', metadata_xml: '<EntityDescriptor entityID="x"/>' }],
    ['validation_failed', { type: 'saml', metadata_url: 'http://example.org/metadata' }],
    ['saml_metadata_fetch_failed', { type: 'saml', metadata_url: 'http://127.0.0.1:1/metadata' }],
  ])('answers %s to %j', async (code, body) => {
    const { status, body: answer } = await admin('POST', '', body)
    expect([status, answer.error_code]).toEqual([400, code])
  })

  it('rejects a second registration, an invalid domain, and an invalid mapping', async () => {
    const xml = idp.metadata()
    expect((await admin('POST', '', { type: 'saml', metadata_xml: xml })).body.error_code).toBe(
      'saml_idp_already_exists',
    )
    const renamed = xml.replace(`entityID="${idp.entityId}"`, 'entityID="https://renamed.example"')
    for (const wrong of [
      { domains: ['no domain'] },
      { attribute_mapping: { keys: { a: 'b' } } },
      { name_id_format: 'x' },
    ]) {
      const { body } = await admin('POST', '', { type: 'saml', metadata_xml: renamed, ...wrong })
      expect(body.error_code).toBe('validation_failed')
    }
    expect((await admin('GET', '')).body.items).toHaveLength(1)
  })

  it('rereads metadata from their URL once a day, and keeps the stored ones if that fails', async () => {
    const old = () =>
      gateway.query(
        `update auth.saml_providers set metadata_xml = replace(metadata_xml, '/login', '/moved'), updated_at = now() - interval '25 hours',
           metadata_tried_at = null`,
      )
    await old()
    expect((await begin()).url).toMatch('/login?')
    await old()
    await gateway.query(`update auth.saml_providers set metadata_url = 'http://127.0.0.1:1/'`)
    expect((await begin()).url).toMatch('/moved?')
    // A URL that didn't respond is left alone for a while: nobody else waits for it.
    await gateway.query('update auth.saml_providers set metadata_url = $1', [idp.metadataUrl])
    expect((await begin()).url).toMatch('/moved?')
    await gateway.query(`update auth.saml_providers set metadata_tried_at = now() - interval '16 minutes'`)
    expect((await begin()).url).toMatch('/login?')
  })

  it('signs out the users of a company that is removed', async () => {
    const [registered] = (await admin('GET', '', undefined, portal)).body.items as { id: string }[]
    say()
    const answer = idp.unsolicited(`${portal.url}/auth/v1/sso/saml/acs`, `${portal.url}/auth/v1/sso/saml/metadata`)
    const { target } = await post({ SAMLResponse: answer }, { to: portal })
    const session = new URLSearchParams(target.hash.slice(1))
    const client = createClient(portal.url, portal.secrets.anonKey, { auth: { persistSession: false } })
    const tokens = {
      access_token: session.get('access_token') ?? '',
      refresh_token: session.get('refresh_token') ?? '',
    }
    expect((await client.auth.setSession(tokens)).error).toBeNull()
    await admin('DELETE', `/${registered?.id}`, undefined, portal)
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  })
})

describe('without AUTH_SAML_ENABLED', () => {
  it('returns an error to the client', async () => {
    const plain = await startGateway()
    const { error } = await plain.client().auth.signInWithSSO({ domain })
    expect(error?.code).toBe('saml_provider_disabled')
    for (const path of ['metadata', 'acs']) {
      const answer = await fetch(
        `${plain.url}/auth/v1/sso/saml/${path}`,
        path === 'acs' ? { method: 'POST', body: 'a=b' } : {},
      )
      expect(await answer.json()).toMatchObject({ error_code: 'saml_provider_disabled' })
    }
    await plain.close()
  })
})

const assertionOf = (xml: string) => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
const withoutSignature = (xml: string) => xml.replace(/<(ds:)?Signature .*<\/(ds:)?Signature>/s, '')
const forgedAssertion = (xml: string) => withoutSignature(assertionOf(xml)).replace(/person-\d+/g, 'victim')
const forgedAround = (xml: string) =>
  forgedAssertion(xml)
    .replace(/ID="[^"]*"/, 'ID="_forged"')
    .replace('</saml:Assertion>', `<saml:Advice>${assertionOf(xml)}</saml:Advice></saml:Assertion>`)

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('saml'))
