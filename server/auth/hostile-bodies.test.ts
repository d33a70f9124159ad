import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
let userToken: string
beforeAll(async () => {
  const generous = '1000000'
  gateway = await startGateway({
    env: {
      AUTH_RATE_LIMIT_SIGN_UP: generous,
      AUTH_RATE_LIMIT_SIGN_IN: generous,
      AUTH_RATE_LIMIT_FAILED_SIGN_IN: generous,
      AUTH_RATE_LIMIT_TOKEN_REFRESH: generous,
      AUTH_RATE_LIMIT_VERIFY: generous,
      AUTH_RATE_LIMIT_EMAIL_SENT: generous,
      AUTH_SMTP_MAX_FREQUENCY: '0',
    },
  })
  const { client } = await gateway.signUp()
  userToken = (await client.auth.getSession()).data.session?.access_token ?? ''
})
afterAll(() => gateway.close())

type Call = { readonly method: string; readonly path: string; readonly as?: 'person' | 'service' }

const calls: readonly Call[] = [
  { method: 'POST', path: '/signup' },
  { method: 'POST', path: '/token?grant_type=password' },
  { method: 'POST', path: '/token?grant_type=refresh_token' },
  { method: 'POST', path: '/token?grant_type=pkce' },
  { method: 'POST', path: '/token?grant_type=id_token' },
  { method: 'POST', path: '/recover' },
  { method: 'POST', path: '/resend' },
  { method: 'POST', path: '/verify' },
  { method: 'POST', path: '/otp' },
  { method: 'PUT', path: '/user', as: 'person' },
  { method: 'POST', path: '/factors', as: 'person' },
  { method: 'POST', path: '/invite', as: 'service' },
  { method: 'POST', path: '/admin/users', as: 'service' },
  { method: 'POST', path: '/admin/generate_link', as: 'service' },
]

async function send(
  { method, path, as }: Call,
  body: string | Uint8Array<ArrayBuffer>,
  contentType = 'application/json',
) {
  const token = as === 'person' ? userToken : as === 'service' ? gateway.secrets.serviceRoleKey : undefined
  const response = await fetch(`${gateway.url}/auth/v1${path}`, {
    method,
    body,
    headers: { 'content-type': contentType, ...(token && { authorization: `Bearer ${token}` }) },
  })
  return { status: response.status, body: await response.json() }
}

const refusal = { code: expect.any(Number), error_code: expect.any(String), msg: expect.any(String) }

describe('hostile bodies', () => {
  const texts = [
    ['not JSON', '{'],
    ['an array', '[{"email":"a@example.com"}]'],
    ['a text', '"email"'],
    ['a number', '1'],
    ['null', 'null'],
    ['text that is not UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    [
      'deep nesting',
      `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)},"email":"a@example.com","password":"correct horse"}`,
    ],
    ['a huge address', JSON.stringify({ email: `${'a'.repeat(1_000_000)}@example.com`, password: 'correct horse' })],
    ['a huge password', JSON.stringify({ email: 'a@example.com', password: 'p'.repeat(1_000_000) })],
    ['NUL in the address', JSON.stringify({ email: 'a\0@example.com', password: 'correct horse' })],
    ['NUL in the password', JSON.stringify({ email: 'a@example.com', password: 'correct\0horse' })],
    ['NUL in the data', JSON.stringify({ email: 'a@example.com', password: 'correct horse', data: { a: ['\0'] } })],
    [
      'NUL in a name of the data',
      JSON.stringify({ email: 'a@example.com', password: 'correct horse', data: { 'a\0': 1 } }),
    ],
    ['half a surrogate pair', '{"email":"a@example.com","password":"correct horse","data":{"a":"\\ud800"}}'],
    ['an array as the data', JSON.stringify({ email: 'a@example.com', password: 'correct horse', data: [] })],
    [
      'objects for texts',
      JSON.stringify({
        email: { a: 1 },
        password: ['x'],
        token: {},
        type: {},
        refresh_token: [],
        provider: [],
        phone: [],
      }),
    ],
  ] as const

  it.each(texts)("%s is rejected in the API's format and stores nothing", async (_name, text) => {
    const before = await gateway.query('select count(*) from auth.users')
    for (const call of calls) {
      // A path without the field may succeed, but none may fail with a server error.
      if (call.as === 'service') continue
      // /otp creates an account from an address alone, and ignores the field that is invalid here.
      const body = call.path === '/otp' && typeof text === 'string' ? text.replace('{', '{"create_user":false,') : text
      const answer = await send(call, body)
      expect([call.path, answer.status]).toEqual([call.path, expect.toSatisfy((status: number) => status < 500)])
      if (answer.status >= 400) expect(answer.body).toMatchObject({ ...refusal, code: answer.status })
    }
    const signUp = await send({ method: 'POST', path: '/signup' }, text)
    // The same for the service's own paths, where the field is called user_metadata.
    if (typeof text === 'string') {
      const created = await send(
        { method: 'POST', path: '/admin/users', as: 'service' },
        text.replace('"data"', '"user_metadata"'),
      )
      expect(created).toMatchObject({
        status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
        body: refusal,
      })
    }
    expect(signUp).toMatchObject({
      // 413 for a body larger than any visitor may send.
      status: expect.toSatisfy((status: number) => [400, 413, 422].includes(status)),
      body: refusal,
    })
    expect(await gateway.query('select count(*) from auth.users')).toEqual(before)
  })

  it('a body above the limit is rejected before it is read completely', async () => {
    const answer = await send({ method: 'POST', path: '/signup' }, `{"a":"${'x'.repeat(5 * 1024 * 1024)}"}`)
    expect(answer).toMatchObject({ status: 413, body: { error_code: 'body_too_large' } })
  })

  it('JSON with another content type is still read, as in GoTrue', async () => {
    const body = JSON.stringify({ email: 'plain@example.com', password: 'correct horse' })
    expect((await send({ method: 'POST', path: '/signup' }, body, 'text/plain')).status).toBe(200)
  })

  it('a name from Object.prototype is a name like any other', async () => {
    const body =
      '{"email":"proto@example.com","password":"correct horse","data":{"__proto__":{"polluted":1},"toString":"x"}}'
    const answer = await send({ method: 'POST', path: '/signup' }, body)
    expect(answer.status).toBe(200)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('no path fails, whatever is sent', async () => {
    const field = fc.oneof(
      fc.constantFrom(
        'email',
        'password',
        'data',
        'token',
        'token_hash',
        'type',
        'refresh_token',
        'auth_code',
        'code_verifier',
      ),
      fc.constantFrom(
        'code_challenge',
        'code_challenge_method',
        'phone',
        'nonce',
        'current_password',
        'user_metadata',
        'ban_duration',
        'id',
      ),
      fc.string({ unit: 'binary' }),
    )
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: 'binary' }),
      fc.emailAddress(),
      fc.constantFrom('signup', 'recovery', 's256', '1h', 'x@example.com', '\0', '\ud800', 'correct horse'),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...calls), fc.dictionary(field, value, { maxKeys: 6 }), async (call, body) => {
        const { status, body: answer } = await send(call, JSON.stringify(body))
        expect(status).toBeLessThan(500)
        if (status >= 400) expect(answer).toMatchObject({ ...refusal, code: status })
      }),
      { numRuns: 400 },
    )
  })

  it('invalid queries and headers are rejected or ignored, but never cause a server error', async () => {
    const paths = [
      '/token?grant_type=password&grant_type=refresh_token',
      '/token?grant_type=__proto__',
      '/verify?token=%00&type=signup',
      '/verify?token=x&type=toString',
      '/verify?token=x&type=signup&redirect_to=%00',
      '/user?apikey=wrong',
      '/admin/users/%00',
      '/user/identities/%ff',
    ]
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await fetch(`${gateway.url}/auth/v1${path}`, {
          method,
          redirect: 'manual',
          headers: { 'x-forwarded-for': `nonsense'"`, 'x-supabase-api-version': 'tomorrow' },
        })
        expect([method, path, response.status]).toEqual([
          method,
          path,
          expect.toSatisfy((status: number) => status < 500),
        ])
      }
    }
    const signedIn = await fetch(`${gateway.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'x-forwarded-for': 'fe80::1%eth0' },
      body: JSON.stringify({ email: 'zone@example.com', password: 'correct horse' }),
    })
    expect(signedIn.status).toBe(200)
  })
})
