import { randomUUID } from 'node:crypto'
import { paths } from '@ovation/contract/paths'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../http/errors.ts'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { authErrors } from '../errors.ts'
import { sweepAccounts } from '../sweep-accounts.ts'
import { registerApp } from '../testing/oauth-app.ts'
import { renderOAuthError } from './oauth-error.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ env: { AUTH_OAUTH_SERVER_ENABLED: '1' } })
})
afterAll(() => gateway.close())

const as = (token = '') => ({ headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
const browser = { headers: { accept: 'text/html,application/xhtml+xml' }, redirect: 'manual' } as const

async function onePicture(): Promise<Uint8Array<ArrayBuffer>> {
  const color = { width: 9, height: 9, channels: 3, background: '#f00' } as const
  return new Uint8Array(await sharp({ create: color }).jpeg().toBuffer())
}

describe('a request for access', () => {
  it('belongs to the user who opened it until they sign out; then another account in the browser can answer it', async () => {
    const app = await registerApp(gateway)
    const [first, second] = [await gateway.signUp(), await gateway.signUp()]
    const id = await app.beginId()
    expect((await first.client.auth.oauth.getAuthorizationDetails(id)).error).toBeNull()
    const notFound = { status: 404, code: 'oauth_authorization_not_found' }
    expect((await second.client.auth.oauth.getAuthorizationDetails(id)).error).toMatchObject(notFound)
    await first.client.auth.signOut({ scope: 'local' })
    expect((await second.client.auth.oauth.getAuthorizationDetails(id)).data).toMatchObject({
      user: { id: second.userId },
    })
    const again = gateway.client()
    await again.auth.signInWithPassword({ email: first.email, password: first.password })
    expect((await again.auth.oauth.approveAuthorization(id)).error).toMatchObject(notFound)
    expect((await second.client.auth.oauth.approveAuthorization(id)).error).toBeNull()
  })

  it.each([
    ['an unknown client', { client_id: randomUUID() }, 'oauth_client_not_found'],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/' }, 'validation_failed'],
  ])(
    'leads a browser with %s to the screen that says so, and returns the error to a program',
    async (_what, wrong, code) => {
      const app = await registerApp(gateway)
      const shown = await fetch(app.address(wrong), browser)
      expect([shown.status, shown.headers.get('location')]).toEqual([
        302,
        `${gateway.url}${paths.oauthConsent}?error=${code}`,
      ])
      const told = await fetch(app.address(wrong), { redirect: 'manual' })
      expect([told.status, await told.json()]).toEqual([400, expect.objectContaining({ error_code: code })])
    },
  )

  it("is deleted once it expires unanswered; one with a code is kept for a day, to detect the code's reuse", async () => {
    const app = await registerApp(gateway)
    const { client } = await gateway.signUp()
    const unanswered = await app.beginId()
    await app.ask(client, 'deny')
    await app.connect(client)
    const open = await app.beginId()
    await gateway.query('update auth.oauth_authorizations set expires_at = now() where id <> $1', [open])
    const sweep = () => sweepAccounts(gateway.services.database.service, gateway.services.config.auth)
    const left = () =>
      gateway.query<{ id: string; status: string }>(
        'select id, status from auth.oauth_authorizations where client_id = $1 order by created_at',
        [app.id],
      )
    expect((await left()).map(({ status }) => status)).toEqual(['pending', 'denied', 'spent', 'pending'])
    await sweep()
    expect(await left()).toEqual([
      { id: expect.not.stringMatching(unanswered), status: 'spent' },
      { id: open, status: 'pending' },
    ])
    await gateway.query(
      "update auth.oauth_authorizations set expires_at = now() - interval '25 hours' where id <> $1",
      [open],
    )
    await sweep()
    expect(await left()).toEqual([{ id: open, status: 'pending' }])
  })
})

describe('an application', () => {
  it('returns from userinfo what its token covers, not what it could have requested', async () => {
    const app = await registerApp(gateway)
    const { client, userId } = await gateway.signUp()
    const { tokens } = await app.connect(client, { scope: 'openid email profile' })
    const narrow = await app.refresh(tokens.refresh_token, { scope: 'openid' })
    const userinfo = await fetch(`${gateway.url}/auth/v1/oauth/userinfo`, as(narrow.body.access_token))
    expect(await userinfo.json()).toEqual({ sub: userId })
  })

  it("can't change bookings, turn login alerts off, or see the user's sessions", async () => {
    const app = await registerApp(gateway)
    const { client, profileId } = await gateway.signUp()
    const { tokens } = await app.connect(client)
    const rest = (path: string, method: string, body?: object) =>
      fetch(`${gateway.url}/rest/v1/${path}`, { method, body: JSON.stringify(body), ...as(tokens.access_token) })
    const settings = `user_settings?user_id=eq.${profileId}`
    const refused = { code: '42501', message: "Connected apps can't do this" }
    const alerts = await rest(settings, 'PATCH', { security: { loginAlerts: false } })
    expect([alerts.status, await alerts.json()]).toEqual([403, expect.objectContaining(refused)])
    expect((await rest(settings, 'PATCH', { privacy: { showOnlineStatus: false } })).status).toBe(204)
    expect(await (await rest('rpc/list_own_sessions', 'POST', {})).json()).toEqual([])
    expect((await client.rpc('list_own_sessions')).data).toHaveLength(1)
    await expect(
      gateway.query(`do $$ begin
        perform set_config('request.jwt.claims', '{"client_id": "${app.id}"}', true);
        update public.session_bookings set state = 'canceled';
      end $$`),
    ).rejects.toMatchObject(refused)
  })
})

describe("an application's access", () => {
  it("doesn't include the data copy, which lists sessions, or push subscriptions", async () => {
    const app = await registerApp(gateway)
    const { client } = await gateway.signUp()
    const { tokens } = await app.connect(client)
    const call = async (name: string, body: object) => {
      const answer = await fetch(`${gateway.url}/rest/v1/rpc/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
        ...as(tokens.access_token),
      })
      return [answer.status, await answer.json()]
    }
    const refused = [403, expect.objectContaining({ code: '42501', message: "Connected apps can't do this" })]
    const browser = { endpoint: 'https://push.example/1', p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) }
    expect(await call('open_own_data', {})).toEqual(refused)
    expect(await call('save_push_subscription', browser)).toEqual(refused)
    const { data: own, error } = await client.rpc('save_push_subscription', browser)
    expect(error).toBeNull()
    expect(await call('list_push_subscriptions', {})).toEqual([200, []])
    expect(await call('remove_push_subscription', { subscription_id: own })).toEqual(refused)
    expect((await client.rpc('list_push_subscriptions')).data).toHaveLength(1)
  })

  it("doesn't include reading or submitting identity documents", async () => {
    const app = await registerApp(gateway)
    const { client, userId } = await gateway.signUp()
    const { tokens } = await app.connect(client)
    const [front, back] = [`${userId}/id_front.jpg`, `${userId}/id_back.jpg`]
    await gateway.query(
      `insert into storage.objects (bucket_id, name, owner_id) select 'verification', unnest($1::text[]), $2`,
      [[front, back], userId],
    )
    expect((await client.storage.from('verification').list(userId)).data).toHaveLength(2)
    const bearer = { authorization: `Bearer ${tokens.access_token}` }
    const files = (way: string, name: string, init: RequestInit = {}) =>
      fetch(`${gateway.url}/storage/v1/object/${way}verification/${name}`, { headers: bearer, ...init })
    const refused = [
      await files('authenticated/', front),
      await files('sign/', front, { method: 'POST', body: '{"expiresIn":60}', ...as(tokens.access_token) }),
      await files('upload/sign/', `${userId}/new.jpg`, { method: 'POST' }),
      await files('', `${userId}/new.jpg`, {
        method: 'POST',
        body: await onePicture(),
        headers: { ...bearer, 'content-type': 'image/jpeg' },
      }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    const application = { user_id: userId, full_name: 'Ada', address: 'A street', full_ssn: '123456789' }
    const handedIn = { ...application, id_front_url: front, id_back_url: back }
    const apply = () =>
      fetch(`${gateway.url}/rest/v1/creator_applications`, {
        method: 'POST',
        body: JSON.stringify(handedIn),
        ...as(tokens.access_token),
      })
    expect((await apply()).status).toBe(403)
    expect((await client.from('creator_applications').insert(handedIn)).error).toBeNull()
    const seen = await fetch(`${gateway.url}/rest/v1/creator_applications?select=full_name`, { headers: bearer })
    expect(await seen.json()).toEqual([])
  })

  it('ends for upload links too, once it is revoked', async () => {
    const app = await registerApp(gateway)
    const { client, userId } = await gateway.signUp()
    const { tokens } = await app.connect(client)
    const link = async () => {
      const path = `avatars/${userId}/${randomUUID()}.jpg`
      const signed = await fetch(`${gateway.url}/storage/v1/object/upload/sign/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.access_token}` },
      })
      return ((await signed.json()) as { url: string }).url
    }
    const picture = await onePicture()
    const send = async (url: string) =>
      (
        await fetch(`${gateway.url}/storage/v1${url}`, {
          method: 'PUT',
          headers: { 'content-type': 'image/jpeg' },
          body: picture,
        })
      ).status
    const [before, after] = [await link(), await link()]
    expect(await send(before)).toBe(200)
    expect((await client.auth.oauth.revokeGrant({ clientId: app.id })).error).toBeNull()
    expect(await send(after)).toBe(400)
  })
})

describe('too many requests', () => {
  it('for access from one address are rejected, for a browser on the screen', async () => {
    const strict = await startGateway({
      env: {
        AUTH_OAUTH_SERVER_ENABLED: '1',
        AUTH_RATE_LIMIT_OAUTH_AUTHORIZE: '2',
        AUTH_RATE_LIMIT_TOKEN_REFRESH: '1',
      },
    })
    try {
      const app = await registerApp(strict)
      expect([await app.beginId(), await app.beginId()].every((id) => id !== '')).toBe(true)
      const told = await fetch(app.address(), { redirect: 'manual' })
      expect([told.status, told.headers.get('location')]).toEqual([429, null])
      expect(Number(told.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await told.json()).toMatchObject({ error_code: 'over_request_rate_limit' })
      const shown = await fetch(app.address(), browser)
      expect(shown.headers.get('location')).toBe(`${strict.url}/oauth/consent?error=over_request_rate_limit`)
      expect((await strict.query('select id from auth.oauth_authorizations')).length).toBe(2)

      expect((await app.exchange('x')).body.error).toBe('invalid_grant')
      const refused = await app.exchange('x')
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0, refused.body]).toEqual([
        429,
        true,
        { error: 'temporarily_unavailable', error_description: expect.any(String) },
      ])
    } finally {
      await strict.close()
    }
  })

  it('and an unavailable database get their own OAuth error codes, not those of a bad request', () => {
    const told = (error: Parameters<typeof renderOAuthError>[0]) => {
      const { status, body } = renderOAuthError(error)
      return [status, body.error]
    }
    expect(told(authErrors.overRequestRate(3))).toEqual([429, 'temporarily_unavailable'])
    expect(told(errors.databaseUnavailable(null))).toEqual([503, 'temporarily_unavailable'])
    expect(told(errors.internal())).toEqual([500, 'server_error'])
  })
})
