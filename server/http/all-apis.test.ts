import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

/** How each API reports an unknown path: `shape` has the members that its client reads. */
const families = [
  { prefix: '/auth/v1', shape: { code: 404, error_code: 'not_found', msg: expect.any(String) } },
  { prefix: '/rest/v1', shape: { code: expect.any(String), message: expect.any(String), details: null, hint: null } },
  { prefix: '/storage/v1', shape: { statusCode: '404', error: expect.any(String), message: expect.any(String) } },
  { prefix: '/realtime/v1', shape: { message: expect.any(String) } },
  { prefix: '/functions/v1', shape: { success: false, error: expect.any(String) } },
]

describe('one origin', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  for (const { prefix, shape } of families) {
    it(`answers an unknown path below ${prefix} in the API's own JSON [GEN-12]`, async () => {
      for (const path of ['/no/such/path', '/no/such/page.html', '/%00']) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const answer = await fetch(`${gateway.url}${prefix}${path}`, { method })
          expect(answer.headers.get('content-type'), `${method} ${prefix}${path}`).toMatch(/^application\/json/)
          expect(answer.status).toBeGreaterThanOrEqual(400)
          expect(answer.status).toBeLessThan(500)
          expect(answer.headers.get('x-request-id')).toBeTruthy()
        }
      }
      const answer = await fetch(`${gateway.url}${prefix}/no/such/path`)
      expect(await answer.json()).toMatchObject(shape)
    })

    it(`rejects an unknown key and a bad token below ${prefix} with 401 in the API's own JSON [GEN-13]`, async () => {
      for (const headers of [
        { apikey: 'nonsense' },
        { authorization: 'Bearer nonsense' },
        { authorization: 'Basic eDp5' },
      ]) {
        const answer = await fetch(`${gateway.url}${prefix}/anything`, { headers })
        expect(answer.status).toBe(401)
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
        expect(Object.keys((await answer.json()) as object)).toEqual(expect.arrayContaining(Object.keys(shape)))
      }
    })

    it(`allows browser code of other origins to call ${prefix}`, async () => {
      const answer = await fetch(`${gateway.url}${prefix}/anything`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'apikey,authorization',
        },
      })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-headers')).toMatch(/apikey/)
    })
  }

  it("doesn't serve the web app at an API's bare prefix", async () => {
    for (const { prefix } of families) {
      for (const path of [prefix, `${prefix}/`]) {
        expect((await fetch(`${gateway.url}${path}`)).headers.get('content-type'), path).toMatch(/json/)
      }
    }
  })

  it('accepts the anonymous key, the service key, and the new-style keys', async () => {
    const { anonKey, publishableKey, serviceRoleKey, secretKey } = gateway.secrets
    for (const apikey of [anonKey, publishableKey, serviceRoleKey, secretKey]) {
      expect((await fetch(`${gateway.url}/auth/v1/settings`, { headers: { apikey } })).status).toBe(200)
    }
  })

  it('serves one client completely: an account, its rows, files, live updates, and functions [GEN-11]', async () => {
    const { client, userId, profileId } = await gateway.signUp()
    expect((await client.auth.getUser()).data.user?.id).toBe(userId)
    expect((await client.from('profiles').select('id').eq('user_id', userId).single()).data).toEqual({ id: profileId })
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#b3123b' } })
      .png()
      .toBuffer()
    const path = `${userId}/1.png`
    expect((await client.storage.from('avatars').upload(path, picture, { contentType: 'image/png' })).error).toBeNull()
    expect((await fetch(client.storage.from('avatars').getPublicUrl(path).data.publicUrl)).status).toBe(200)
    const channel = client.channel('hall')
    await new Promise<void>((joined) => channel.subscribe((status) => status === 'SUBSCRIBED' && joined()))
    const { data, error } = await client.functions.invoke('check-stripe-status')
    expect(error).toBeNull()
    expect(data).toMatchObject({ success: true, has_stripe_account: false })
  })

  it('reports that it is alive and ready, and gives the web app its configuration', async () => {
    expect(await (await fetch(`${gateway.url}/health/live`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${gateway.url}/health/ready`)).json()).toEqual({ status: 'ok' })
    const config = await (await fetch(`${gateway.url}/app-config.json`)).json()
    expect(config).toMatchObject({ name: 'Ovation', anonKey: gateway.secrets.anonKey, stripeMode: 'sandbox' })
    expect(JSON.stringify(config)).not.toContain(gateway.secrets.serviceRoleKey)
    expect(JSON.stringify(config)).not.toContain(gateway.secrets.jwtSecret)
  })

  it('forbids inline scripts and framing on every page', async () => {
    const { headers } = await fetch(`${gateway.url}/`)
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(/script-src 'self'(;|$)/)
    expect(policy).toMatch(/frame-ancestors 'none'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBeTruthy()
  })

  it('forbids running or framing a response with rows, and sends no longer policy', async () => {
    const { headers } = await fetch(`${gateway.url}/rest/v1/profiles?limit=1`)
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('x-download-options')).toBeNull()
  })

  const hasInlineScript = (page: string) =>
    /<script(?![^>]*\ssrc=)/i.test(page) || /\son[a-z]+\s*=\s*["']|javascript:/i.test(page)

  it.each(['/dev/outbox', '/dev/outbox/none', '/functions/v1/unsubscribe-email?token=none'])(
    'serves a page at %s that satisfies its policy',
    async (path) => {
      const answer = await fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html' } })
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
      const scripts = /(?:script-src|default-src) ([^;]+)/.exec(
        answer.headers.get('content-security-policy') ?? '',
      )?.[1]
      expect(scripts).toBeTruthy()
      expect(scripts).not.toMatch(/unsafe-/)
      expect(hasInlineScript(await answer.text())).toBe(false)
    },
  )

  it('has a web app whose page satisfies its policy', () => {
    expect(hasInlineScript('<a onclick="run()">')).toBe(true)
    expect(hasInlineScript(readFileSync(new URL('../../web/index.html', import.meta.url), 'utf8'))).toBe(false)
  })
})
