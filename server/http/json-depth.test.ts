import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { isTooDeep } from './json-depth.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('the depth of a JSON text', () => {
  it.each([
    ['the allowed depth', nested(100), false],
    ['one more', nested(101), true],
    ['brackets in a string', JSON.stringify('['.repeat(500)), false],
    ['brackets behind an escaped quotation mark', JSON.stringify({ a: `"${'['.repeat(500)}` }), false],
    ['a string ending in a backslash', `{"a":"\\\\","b":${nested(101)}}`, true],
    ['many side by side', `[${Array(500).fill('{}').join()}]`, false],
    ['an unterminated string', `"${'['.repeat(500)}`, false],
  ])('is counted outside strings: %s', (_, text, expected) => {
    expect(isTooDeep(text)).toBe(expected)
  })
})

describe('a body that is too deep', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  it.each([
    ['/rest/v1/support_requests', 'service'],
    ['/rest/v1/support_requests?columns=name', 'service'],
    ['/rest/v1/rpc/search_profiles', 'service'],
    ['/auth/v1/signup', 'anon'],
    ['/storage/v1/object/list/posts', 'service'],
    ['/realtime/v1/api/broadcast', 'service'],
    ['/functions/v1/create-payment-checkout', 'person'],
  ])('is rejected with 400 by %s', async (path, who) => {
    const { anonKey, serviceRoleKey } = gateway.secrets
    const person = who === 'person' ? await gateway.signUp() : undefined
    const { data } = (await person?.client.auth.getSession()) ?? { data: { session: null } }
    const key = who === 'service' ? serviceRoleKey : anonKey
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: {
        apikey: key,
        authorization: `Bearer ${data.session?.access_token ?? key}`,
        'content-type': 'application/json',
      },
      body: `{"name":${nested(150)}}`,
    })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(/deep|JSON/)
  })
})
