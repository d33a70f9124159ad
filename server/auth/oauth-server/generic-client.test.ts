import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { registerApp } from '../testing/oauth-app.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({
    env: { AUTH_OAUTH_SERVER_ENABLED: '1', AUTH_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: '1' },
  })
})
afterAll(() => gateway.close())

const insecure = { execute: [openid.allowInsecureRequests] }
const redirectUri = 'http://127.0.0.1:4455/callback'

/** The steps of an OAuth library that knows only the server's address. */
async function registerItself(metadata: Record<string, string>, proof?: openid.ClientAuth) {
  return openid.dynamicClientRegistration(
    new URL(`${gateway.url}/auth/v1`),
    { client_name: 'Desk', redirect_uris: [redirectUri], software_version: '1', ...metadata },
    proof,
    { algorithm: 'oauth2', ...insecure },
  )
}

describe("an application that knows only the server's address", () => {
  it.each([
    ['public', { token_endpoint_auth_method: 'none' }, openid.None()],
    ['confidential', {}, undefined],
  ])('registers itself, signs a user in, and refreshes: %s', async (type, metadata, proof) => {
    const config = await registerItself(metadata, proof)
    expect(config.clientMetadata()).toMatchObject({ client_type: type, registration_type: 'dynamic' })
    expect(config.serverMetadata().supportsPKCE()).toBe(true)
    const { client, userId } = await gateway.signUp()
    const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()]
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const screen = await fetch(address, { redirect: 'manual' })
    const id = new URL(screen.headers.get('location') ?? '').searchParams.get('authorization_id') ?? ''
    expect((await client.auth.oauth.getAuthorizationDetails(id)).data).toMatchObject({ redirect_uri: redirectUri })
    const { data } = await client.auth.oauth.approveAuthorization(id)
    const tokens = await openid.authorizationCodeGrant(config, new URL(data?.redirect_url ?? ''), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(await openid.fetchUserInfo(config, tokens.access_token, userId)).toMatchObject({ sub: userId })
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    const user = await fetch(`${gateway.url}/auth/v1/user`, {
      headers: { authorization: `Bearer ${renewed.access_token}` },
    })
    expect(user.status).toBe(200)
  })

  it('may be a page of another origin', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server/auth/v1',
      '/auth/v1/.well-known/oauth-authorization-server',
    ]) {
      const { headers } = await fetch(gateway.url + path, { headers: { origin: 'https://elsewhere.test' } })
      expect(headers.get('access-control-allow-origin'), path).toBe('*')
    }
  })
})

describe('parameters that OAuth 2.1 and GoTrue make optional', () => {
  it('may be omitted: response_type, and redirect_uri in the code exchange', async () => {
    const app = await registerApp(gateway)
    const { client } = await gateway.signUp()
    const code = (await app.ask(client, 'approve', { response_type: '' })).searchParams.get('code') ?? ''
    expect((await app.exchange(code, { redirect_uri: 'https://app.example/other' })).body.error).toBe('invalid_grant')
    expect((await app.exchange(code, { redirect_uri: undefined })).status).toBe(200)
  })
})

it("is rejected with GoTrue’s code if applications can't register themselves", async () => {
  const closed = await startGateway({ env: { AUTH_OAUTH_SERVER_ENABLED: '1' } })
  try {
    const answer = await fetch(`${closed.url}/auth/v1/oauth/clients/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri] }),
    })
    expect([answer.status, await answer.json()]).toEqual([
      403,
      expect.objectContaining({
        error_code: 'oauth_dynamic_client_registration_disabled',
        msg: 'Dynamic client registration is not enabled',
      }),
    ])
  } finally {
    await closed.close()
  }
})
