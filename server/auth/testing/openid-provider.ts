import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

export type TestProvider = {
  readonly issuer: string
  /** The next user to sign in, with their claims. */
  person: { sub: string; email?: string; email_verified?: boolean; name?: string; picture?: string }
  /** A browser's visit: follows redirects, signs in, consents; returns the URL of the redirect back. */
  visit(url: string): Promise<string>
  close(): Promise<void>
}

/** A real OpenID provider (oidc-provider) on this machine. It asks no questions: every visitor is `person`. */
export async function startOpenIdProvider(redirectUri: string): Promise<TestProvider> {
  let listener: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server: Server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const test: TestProvider = {
    issuer,
    person: { sub: 'nobody' },
    visit: (url) => walk(url, issuer),
    close: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'ovation',
        client_secret: 'a secret of the two',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ ...test.person, sub: id }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
  })
  const callback = provider.callback()
  listener = (request, response) => {
    if (request.url?.startsWith('/interaction/')) void consent(provider, test, request, response)
    else void callback(request, response)
  }
  return test
}

async function consent(
  provider: Provider,
  { person }: TestProvider,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { params } = await provider.interactionDetails(request, response)
  const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const grantId = await grant.save()
  await provider.interactionFinished(request, response, { login: { accountId: person.sub }, consent: { grantId } })
}

async function walk(url: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = url
  while (next.startsWith(issuer)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`the provider stopped at ${next}: ${response.status} ${await response.text()}`)
    next = new URL(location, next).href
  }
  return next
}
