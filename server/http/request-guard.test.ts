import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parseConfig } from '../config.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

const sockets: Socket[] = []

/** A raw connection. `answer` resolves with everything received once the server has closed it. */
function open(gateway: TestGateway) {
  const { port } = gateway.services.config.port === 0 ? addressOf(gateway) : gateway.services.config
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.on('error', () => undefined) // a reset is an end, too
  return { socket, received: () => received, ended: once(socket, 'close').then(() => received) }
}
const addressOf = ({ url }: TestGateway) => ({ port: Number(new URL(url).port) }) as AddressInfo

const request = (line: string, headers: Record<string, string>, body = '') =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`

/** Holds up the verification of tokens until `verify`, as a busy thread pool does. */
function holdVerification({ services: { callers } }: TestGateway) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const fromRequest = callers.fromRequest.bind(callers)
  const verifying = vi
    .spyOn(callers, 'fromRequest')
    .mockImplementation((credentials) => promise.then(() => fromRequest(credentials)))
  const verify = () => {
    verifying.mockRestore()
    resolve()
  }
  return { verifying, verify }
}

const untrusted = { TRUSTED_PROXIES: '10.0.0.0/8' } // this test is a client, not a proxy

afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

describe('a client that sends slowly or too much', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway({
      env: {
        ...untrusted,
        HTTP_BODY_TIMEOUT_SECONDS: '1',
        HTTP_HEADERS_TIMEOUT_SECONDS: '1',
        HTTP_MAX_REQUESTS_PER_ADDRESS: '8',
      },
    })
  }, 60_000)
  afterAll(() => gateway?.close())

  it.each([
    ['POST /rest/v1/rpc/search_profiles', { 'content-type': 'application/json' }],
    ['POST /rest/v1/rpc/search_profiles', { 'content-type': 'application/json; charset=utf-8' }],
    ['POST /auth/v1/token?grant_type=password', { 'content-type': 'application/json' }],
    ['POST /functions/v1/create-payment-checkout', { 'content-type': 'application/json' }],
    ['POST /storage/v1/object/list/posts', { 'content-type': 'application/json' }],
    // They look like uploads, but aren't.
    ['POST /storage/v1/object/%6cist/posts', { 'content-type': 'application/json' }],
    ['POST /storage/v1/object/upload/sign/posts/a.png', { 'content-type': 'application/json' }],
    ['DELETE /storage/v1/object/posts', { 'content-type': 'application/json' }],
    ['PUT /storage/v1/bucket/posts', { 'content-type': 'application/json' }],
  ])("gets 408 if the body of %s doesn't end", async (line, headers) => {
    const { socket, ended } = open(gateway)
    socket.write(request(line, { ...headers, 'content-length': '1000' }, '{"query":'))
    const answer = await ended
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('The request body took too long to arrive.')
  })

  it("is disconnected if its headers don't end", async () => {
    const { socket, ended } = open(gateway)
    socket.write('GET /rest/v1/profiles HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
    expect(await ended).toMatch(/^(HTTP\/1\.1 408 |$)/)
  })

  it('may take as long as it needs for a file', async () => {
    const { client, userId } = await gateway.signUp()
    const { data } = await client.auth.getSession()
    const { socket, received, ended } = open(gateway)
    const headers = {
      authorization: `Bearer ${data.session?.access_token}`,
      'content-type': 'image/png',
      'content-length': '10',
      connection: 'close',
    }
    socket.write(request(`POST /storage/v1/object/avatars/${userId}/slow.png`, headers, '12345'))
    await sleep(1_600) // longer than any parsed body may take
    expect(received()).toBe('')
    socket.write('67890')
    expect(await ended).toMatch(/^HTTP\/1\.1 (200|400|415) /) // validated as a file, after it arrived completely
  })

  it('may take as long as it needs for a file in a form, once its fields are there', async () => {
    const { client, userId } = await gateway.signUp()
    const { data } = await client.auth.getSession()
    const send = (body: string) => {
      const { socket, received, ended } = open(gateway)
      const headers = {
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': '1000',
        connection: 'close',
      }
      socket.write(request(`POST /storage/v1/object/avatars/${userId}/form.png`, headers, body))
      return { received, ended }
    }
    const field = '--b\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n36'
    const file =
      '00\r\n--b\r\nContent-Disposition: form-data; name=""; filename="a"\r\nContent-Type: image/png\r\n\r\n123'
    const [slow, fast] = [send(field), send(field + file)]
    expect(await slow.ended).toMatch(/^HTTP\/1\.1 408 /)
    await sleep(600)
    expect(fast.received()).toBe('')
  })

  it('is rejected with more open requests than HTTP_MAX_REQUESTS_PER_ADDRESS, and served again once they end', async () => {
    const body = '{"query":'
    const held = Array.from({ length: 8 }, () => {
      const made = open(gateway)
      made.socket.write(
        request(
          'POST /rest/v1/rpc/search_profiles',
          { 'content-type': 'application/json', 'content-length': '1000' },
          body,
        ),
      )
      return made
    })
    await expect
      .poll(async () => (await fetch(`${gateway.url}/health/live`, { headers: { connection: 'close' } })).status)
      .toBe(429)
    const refused = await fetch(`${gateway.url}/rest/v1/profiles?select=id`, { headers: { connection: 'close' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({ message: 'Too many open requests from this address.' })
    await Promise.all(held.map(({ ended }) => ended))
    await expect.poll(async () => (await fetch(`${gateway.url}/health/live`)).status).toBe(200)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toMatch(/ovation_rate_limited_total\{api="rest"\} [1-9]/)
  })

  it.each([
    ['POST', 'object/%6cist/posts'],
    ['DELETE', 'object/posts'],
    ['PUT', 'bucket/posts'],
  ])("can't send a body of more than HTTP_ANONYMOUS_BODY_KB by %s %s", async (method, path) => {
    const headers = { 'content-type': 'application/json', apikey: gateway.secrets.anonKey }
    const body = JSON.stringify({ prefix: 'x'.repeat(300_000) })
    const refused = await fetch(`${gateway.url}/storage/v1/${path}`, { method, headers, body })
    expect(await refused.json()).toMatchObject({ statusCode: '413' })
  })

  it("can't send a body of more than HTTP_ANONYMOUS_BODY_KB without a signed-in user", async () => {
    const url = `${gateway.url}/rest/v1/rpc/search_profiles`
    const headers = { 'content-type': 'application/json', apikey: gateway.secrets.anonKey }
    const body = JSON.stringify({ query: 'x'.repeat(300_000) })
    const refused = await fetch(url, { method: 'POST', headers, body })
    expect(refused.status).toBe(413)
    expect(await refused.json()).toMatchObject({ details: 'At most 256 KB without signing in' })
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      },
    })
    const chunked = await fetch(url, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit)
    expect(chunked.status).toBe(413)
    const { client } = await gateway.signUp()
    const { data } = await client.auth.getSession()
    const signedIn = { ...headers, authorization: `Bearer ${data.session?.access_token}` }
    expect((await fetch(url, { method: 'POST', headers: signedIn, body })).status).not.toBe(413)
  })
})

describe('a client that holds many large bodies', () => {
  it.each([
    ['rest/v1/rpc/search_profiles', 'message'],
    ['storage/v1/object/list/posts', 'message'],
    ['auth/v1/user', 'msg'],
  ])(
    'gets 429 at /%s beyond HTTP_BODY_MB_PER_ADDRESS, unread, and memory back once they end',
    async (path, word) => {
      const gateway = await startGateway({ env: { ...untrusted, HTTP_BODY_MB_PER_ADDRESS: '8' } })
      try {
        const { client } = await gateway.signUp()
        const { data } = await client.auth.getSession()
        const megabytes = 1024 * 1024
        const begin = () => {
          const made = open(gateway)
          const headers = {
            apikey: gateway.secrets.anonKey,
            authorization: `Bearer ${data.session?.access_token}`,
            'content-type': 'application/json',
            'content-length': String(4 * megabytes),
          }
          made.socket.write(request(`${path === 'auth/v1/user' ? 'PUT' : 'POST'} /${path}`, headers, '['))
          return made
        }
        // Which of them is one too many depends on which arrives last.
        const begun = [begin(), begin(), begin()]
        const answer = await Promise.race(begun.map(({ ended }) => ended))
        expect(answer).toMatch(/^HTTP\/1\.1 (429|400) [\s\S]*retry-after: 1\r\n/i)
        expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
          [word]: "You're sending too many large requests at once. Try again in a moment.",
        })
        const held = begun.filter(({ received }) => received() === '')
        expect(held).toHaveLength(2)
        held[0]?.socket.destroy()
        await expect
          .poll(async () => {
            const next = begin()
            return Promise.race([next.ended, sleep(300).then(() => 'held')])
          })
          .toBe('held')
      } finally {
        for (const socket of sockets.splice(0)) socket.destroy()
        await gateway.close()
      }
    },
    60_000,
  )

  it('gets 503 beyond HTTP_BODY_MB, whatever addresses it comes from, except for the service key', async () => {
    const gateway = await startGateway({ env: { HTTP_BODY_MB: '8' } })
    try {
      const { client } = await gateway.signUp()
      const { data } = await client.auth.getSession()
      const begin = (address: string, token = data.session?.access_token) => {
        const made = open(gateway)
        const headers = {
          apikey: gateway.secrets.anonKey,
          authorization: `Bearer ${token}`,
          'x-forwarded-for': address,
          'content-type': 'application/json',
          'content-length': String(4 * 1024 * 1024),
        }
        made.socket.write(request('POST /rest/v1/rpc/search_profiles', headers, '['))
        return made
      }
      const begun = ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map((address) => begin(address))
      expect(await Promise.race(begun.map(({ ended }) => ended))).toMatch(/^HTTP\/1\.1 503 /)
      const operator = begin('203.0.113.4', gateway.secrets.serviceRoleKey)
      await sleep(300)
      expect([...begun, operator].filter(({ received }) => received() === '')).toHaveLength(3)
    } finally {
      for (const socket of sockets.splice(0)) socket.destroy()
      await gateway.close()
    }
  }, 60_000)

  it.each([
    ['POST', 'rest/v1/rpc/search_profiles'],
    ['POST', 'storage/v1/object/list/posts'],
    ['PUT', 'auth/v1/user'],
  ])(
    'gets no memory for %s /%s if it leaves while its token is verified',
    async (method, path) => {
      const gateway = await startGateway({ env: { HTTP_BODY_MB_PER_ADDRESS: '8', HTTP_MAX_REQUESTS_PER_ADDRESS: '1' } })
      try {
        const { client } = await gateway.signUp()
        const { data } = await client.auth.getSession()
        const headers = {
          apikey: gateway.secrets.anonKey,
          authorization: `Bearer ${data.session?.access_token}`,
          'x-forwarded-for': '203.0.113.1',
          'content-type': 'application/json',
          connection: 'close',
        }
        const body = JSON.stringify({ query: 'x'.repeat(20_000) })
        const send = async () => (await fetch(`${gateway.url}/${path}`, { method, headers, body })).text()
        await send() // so that later, the token is known at once
        const health = async () => (await fetch(`${gateway.url}/health/live`, { headers })).status
        const { verifying, verify } = holdVerification(gateway)
        for (const begun of [1, 2]) {
          const { socket } = open(gateway)
          const length = String(4 * 1024 * 1024)
          socket.write(request(`${method} /${path}`, { ...headers, 'content-length': length }))
          await expect.poll(() => verifying.mock.calls.length).toBe(begun)
          socket.destroy()
          await expect.poll(health).toBe(200) // by now, its end has been noticed
        }
        verify()
        await expect.poll(send).not.toMatch(/too many/i)
      } finally {
        await gateway.close()
      }
    },
    60_000,
  )

  it("doesn't have a large rejected body read, and still sees why", async () => {
    const gateway = await startGateway({ env: untrusted })
    try {
      const { socket, ended } = open(gateway)
      const headers = { apikey: gateway.secrets.anonKey, 'content-type': 'application/json' }
      const head = request('POST /rest/v1/rpc/search_profiles', { ...headers, 'content-length': '4000000' })
      socket.write(`${head}${' '.repeat(2_000_000)}`)
      // Without the end of the body: a connection that is kept would wait for it.
      expect(await ended).toMatch(/^HTTP\/1\.1 413 /)
      const url = `${gateway.url}/rest/v1/rpc/search_profiles`
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => fetch(url, { method: 'POST', headers, body: ' '.repeat(4_000_000) })),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]))
    } finally {
      await gateway.close()
    }
  }, 60_000)
})

it.each([
  ['10.0.0.0/8', 1],
  ['loopback', 0],
])('warns once if it ignores X-Forwarded-For: with TRUSTED_PROXIES=%s, %s times', async (proxies, times) => {
  const gateway = await startGateway({ env: { TRUSTED_PROXIES: proxies } })
  try {
    const warn = vi.spyOn(gateway.services.log, 'warn')
    const send = (headers: Record<string, string>) => fetch(`${gateway.url}/health/live`, { headers })
    await send({})
    expect(warn.mock.calls).toEqual([])
    for (let turn = 0; turn < 3; turn++) await send({ 'x-forwarded-for': '203.0.113.9' })
    const told = [{ peer: '127.0.0.1' }, expect.stringContaining('ignored X-Forwarded-For')]
    expect(warn.mock.calls).toEqual(Array(times).fill(told))
  } finally {
    await gateway.close()
  }
})

describe('a client that opens too many connections', () => {
  it('gets 429 for those beyond HTTP_MAX_CONNECTIONS_PER_ADDRESS', async () => {
    const gateway = await startGateway({ env: { ...untrusted, HTTP_MAX_CONNECTIONS_PER_ADDRESS: '5' } })
    try {
      const held = Array.from({ length: 5 }, () => open(gateway))
      await Promise.all(held.map(({ socket }) => once(socket, 'connect')))
      // Connections are counted in order of arrival.
      const [beyond] = await Promise.all([open(gateway).ended])
      expect(beyond).toMatch(/^HTTP\/1\.1 429 [\s\S]*Retry-After: 1\r\n/)
      for (const { socket } of held) socket.destroy()
      await expect.poll(async () => (await fetch(`${gateway.url}/health/live`).catch(() => null))?.status).toBe(200)
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
      expect(metrics).toMatch(/ovation_rate_limited_total\{api="connection"\} [1-9]/)
    } finally {
      await gateway.close()
    }
  }, 60_000)

  it('is distinguished from its proxy if TRUSTED_PROXIES names the proxy', async () => {
    const gateway = await startGateway({
      env: { HTTP_MAX_CONNECTIONS_PER_ADDRESS: '1', HTTP_MAX_REQUESTS_PER_ADDRESS: '1' },
    })
    try {
      await Promise.all(Array.from({ length: 3 }, () => once(open(gateway).socket, 'connect')))
      const one = { 'x-forwarded-for': '203.0.113.9', 'content-type': 'application/json', 'content-length': '9' }
      open(gateway).socket.write(request('POST /rest/v1/rpc/search_profiles', one))
      const ask = async (address: string) =>
        (await fetch(`${gateway.url}/health/live`, { headers: { 'x-forwarded-for': address } })).status
      await expect.poll(() => ask('203.0.113.9')).toBe(429)
      expect(await ask('203.0.113.10')).toBe(200)
    } finally {
      await gateway.close()
    }
  }, 60_000)
})

describe('development', () => {
  it("doesn't listen on the network unless configured to", () => {
    const rejected = /^HOST 0\.0\.0\.0 would show the demo's logins .*ALLOW_DEMO_ON_NETWORK=1/
    expect(() => parseConfig({ HOST: '0.0.0.0' })).toThrow(rejected)
    expect(parseConfig({ HOST: '0.0.0.0', ALLOW_DEMO_ON_NETWORK: '1' }).host).toBe('0.0.0.0')
    expect(parseConfig({ HOST: '0.0.0.0', NODE_ENV: 'production' }).host).toBe('0.0.0.0')
    for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.2'])
      expect(parseConfig({ HOST: host }).host).toBe(host)
  })

  it("answers only to this machine's names, so that no site can make its own name lead here", async () => {
    const gateway = await startGateway({ env: { NODE_ENV: 'development', SITE_URL: 'http://studio.example:8000' } })
    try {
      const ask = async (host: string, more: Record<string, string> = {}) => {
        const { socket, ended } = open(gateway)
        socket.write(
          `GET /dev/outbox HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${Object.entries(more)
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join('')}\r\n`,
        )
        return Number(/^HTTP\/1\.1 (\d+)/.exec(await ended)?.[1])
      }
      for (const host of [
        '127.0.0.1:8000',
        'localhost',
        '[::1]:8000',
        'app.localhost',
        'studio.example:8000',
        '192.168.1.7',
      ])
        expect(await ask(host), host).toBe(200)
      for (const host of ['evil.example', 'evil.example:8000', '127.0.0.1.evil.example', 'localhost.evil.example'])
        expect(await ask(host), host).toBe(403)
      const upgrade = {
        upgrade: 'websocket',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version': '13',
      }
      const { socket, ended } = open(gateway)
      socket.write(
        request('GET /realtime/v1/websocket?vsn=1.0.0', { ...upgrade, connection: 'Upgrade' }).replace(
          'Host: 127.0.0.1',
          'Host: evil.example',
        ),
      )
      expect(await ended).toMatch(/^HTTP\/1\.1 403 /)
    } finally {
      await gateway.close()
    }
  }, 60_000)
})
