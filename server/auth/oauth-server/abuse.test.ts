import { randomUUID } from 'node:crypto'
import { paths } from '@ovation/contract/routes'
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

describe('a request for access', () => {
  it('belongs to who opened it until they sign out; then another account of the same person can answer it', async () => {
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
  ])('leads a browser with %s to the screen that says so, and a program to the error', async (_what, wrong, code) => {
    const app = await registerApp(gateway)
    const shown = await fetch(app.address(wrong), browser)
    expect([shown.status, shown.headers.get('location')]).toEqual([
      302,
      `${gateway.url}${paths.oauthConsent}?error=${code}`,
    ])
    const told = await fetch(app.address(wrong), { redirect: 'manual' })
    expect([told.status, await told.json()]).toEqual([400, expect.objectContaining({ error_code: code })])
  })

  it('is swept once it expired unanswered; what gave a code is kept for a day, to notice its second use', async () => {
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
  it('learns by userinfo what its token is for, and not what it could have asked for', async () => {
    const app = await registerApp(gateway)
    const { client, userId } = await gateway.signUp()
    const { tokens } = await app.connect(client, { scope: 'openid email profile' })
    const narrow = await app.refresh(tokens.refresh_token, { scope: 'openid' })
    const userinfo = await fetch(`${gateway.url}/auth/v1/oauth/userinfo`, as(narrow.body.access_token))
    expect(await userinfo.json()).toEqual({ sub: userId })
  })

  it('changes no booking, does not turn login alerts off, and does not see where the person is signed in', async () => {
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

describe('too many requests', () => {
  it('for access from one address are refused, to a browser on the screen', async () => {
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

  it('and a database that is away are told apart from faults in OAuth’s words', () => {
    const told = (error: Parameters<typeof renderOAuthError>[0]) => {
      const { status, body } = renderOAuthError(error)
      return [status, body.error]
    }
    expect(told(authErrors.overRequestRate(3))).toEqual([429, 'temporarily_unavailable'])
    expect(told(errors.databaseUnavailable(null))).toEqual([503, 'temporarily_unavailable'])
    expect(told(errors.internal())).toEqual([500, 'server_error'])
  })
})
