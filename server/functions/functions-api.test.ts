import { FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildShop, call, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { functions } from './all-functions.ts'

let shop: Shop
let person: Person
beforeAll(async () => {
  shop = await buildShop()
  person = await shop.gateway.signUp()
})
afterAll(() => shop.close())

const post = (name: string, init: RequestInit = {}) =>
  fetch(`${shop.gateway.url}/functions/v1/${name}`, { method: 'POST', ...init })

async function tokenOf({ client }: Person): Promise<string> {
  const { data } = await client.auth.getSession()
  return data.session?.access_token ?? ''
}

describe('functions/v1', () => {
  it.each(functions.map(({ name }) => name))(
    'requires a visitor to sign in before %s says anything else [GEN-40]',
    async (name) => {
      expect(await refusalOf({ client: shop.gateway.anon }, name, { nonsense: true })).toEqual({
        error: 'FunctionsHttpError',
        status: 401,
        body: { success: false, error: 'Sign In Required', code: 'sign_in_required' },
      })
    },
  )

  it("doesn't accept the service key as a user", async () => {
    expect(await refusalOf({ client: shop.gateway.service }, 'check-stripe-status')).toMatchObject({ status: 401 })
  })

  it('answers an unknown function with 404 as JSON, as a relay error', async () => {
    const { error } = await person.client.functions.invoke('print-money', { body: {} })
    expect(error).toBeInstanceOf(FunctionsRelayError)
    expect(error.context.status).toBe(404)
    expect(await error.context.json()).toEqual({
      success: false,
      error: 'Function print-money not found',
      code: 'unknown_function',
    })
  })

  it.each(['constructor', 'toString', '..%2Fauth', 'a/b/c'])('has no function %s', async (name) => {
    expect((await post(name)).status).toBe(404)
  })

  it('reports an unknown key and a bad token as relay errors, before any function runs', async () => {
    for (const headers of [{ apikey: 'wrong' }, { authorization: 'Bearer wrong' }]) {
      const response = await post('check-stripe-status', { headers })
      expect(response.status).toBe(401)
      expect(response.headers.get('x-relay-error')).toBe('true')
      expect(await response.json()).toMatchObject({ success: false, error: expect.any(String) })
    }
  })

  it("reports a function's error as its own, not as a relay error", async () => {
    const { error } = await person.client.functions.invoke('create-subscription-checkout', { body: {} })
    expect(error).toBeInstanceOf(FunctionsHttpError)
    expect(error.context.headers.get('x-relay-error')).toBeNull()
  })

  it('rejects methods other than POST', async () => {
    const { error } = await person.client.functions.invoke('check-stripe-status', { method: 'GET' })
    expect(error.context.status).toBe(405)
  })

  it.each(['{', '[1]', '"text"'])("rejects a body that isn't a JSON object: %s", async (body) => {
    const { error } = await person.client.functions.invoke('update-subscription-product', {
      body,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(error.context.status).toBe(400)
    expect(await error.context.json()).toMatchObject({ code: 'bad_json', error: 'The body must be a JSON object' })
  })

  it('treats a missing body as an empty one, whatever the content type', async () => {
    const headers = { authorization: `Bearer ${await tokenOf(person)}` }
    expect((await post('check-stripe-status', { headers })).status).toBe(200)
    const typed = { ...headers, 'content-type': 'application/json' }
    expect((await post('check-stripe-status', { headers: typed, body: '' })).status).toBe(200)
  })

  it('rejects a body that is larger than any call needs', async () => {
    const headers = { authorization: `Bearer ${await tokenOf(person)}`, 'content-type': 'application/json' }
    const response = await post('check-stripe-status', { headers, body: JSON.stringify({ a: 'x'.repeat(70_000) }) })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ success: false, code: 'body_too_large' })
  })

  it('answers preflight requests from other origins (CORS)', async () => {
    const response = await post('create-subscription-checkout', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,apikey,content-type,x-client-info,x-region',
      },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')).toContain('x-region')
  })

  it('says "Could not find your profile" if the account no longer has one [ERR-01]', async () => {
    const gone = await shop.gateway.signUp()
    await shop.gateway.query('delete from private.profiles where id = $1', [gone.profileId])
    expect(await refusalOf(gone, 'check-stripe-status')).toMatchObject({
      status: 404,
      body: { error: 'Could not find your profile' },
    })
  })

  it('has the functions for payments, subscriptions, and accounts, with the fields of their requests [API-FN-15]', async () => {
    for (const [name, field] of [
      ['create-payment-checkout', 'kind'],
      ['switch-subscription', 'subscriptionId'],
      ['cancel-subscription', 'subscriptionId'],
      ['resume-subscription', 'subscriptionId'],
      ['refund-payment', 'transactionId'],
      ['delete-own-account', 'password'],
    ] as const)
      expect(await refusalOf(person, name, {}), name).toMatchObject({ status: 400, body: { success: false, field } })
    const unknown = { targetId: '00000000-0000-4000-8000-000000000000' }
    for (const target of [
      { kind: 'ppv', ...unknown },
      { kind: 'message', ...unknown },
      { kind: 'tip', ...unknown, amountCents: 500 },
      { kind: 'session', ...unknown },
    ])
      expect(await refusalOf(person, 'create-payment-checkout', target), target.kind).toMatchObject({ status: 404 })
    for (const name of ['create-portal-session', 'export-own-data'])
      expect(await call(person, name), name).toMatchObject({ url: expect.any(String) })
  })

  it('tests the connection to the payment provider, and never reveals a key [API-FN-12, TEST-01]', async () => {
    const { data } = await person.client.functions.invoke('stripe-test-connection')
    expect(data).toEqual({
      success: true,
      message: 'Connected to the payment sandbox',
      status: {
        environment: { STRIPE_SECRET_KEY: false, STRIPE_WEBHOOK_SECRET: false, STRIPE_CLIENT_ID: false },
        mode: 'sandbox',
        key_prefix: null,
        timestamp: expect.stringMatching(/^\d{4}-/),
      },
    })
  })
})
