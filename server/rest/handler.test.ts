import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Library, openLibrary } from './testing/library.ts'

const json = { 'content-type': 'application/json' }

describe('a response', () => {
  let library: Library
  beforeAll(async () => {
    library = await openLibrary()
  })
  afterAll(() => library.close())

  type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string }
  type Received = { status: number | undefined; headers: Record<string, unknown>; names: string[]; body: string }

  function ask(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
    const authorization = `Bearer ${library.readerToken}`
    const length = body === undefined ? {} : { ...json, 'content-length': String(Buffer.byteLength(body)) }
    return new Promise<Received>((resolve, reject) => {
      const sent = request(`${library.url}${path}`, { method, headers: { authorization, ...length, ...headers } })
      sent.on('error', reject).on('response', async (response) => {
        const names = response.rawHeaders.filter((_, at) => at % 2 === 0)
        resolve({ status: response.statusCode, headers: response.headers, names, body: await text(response) })
      })
      sent.end(body)
    })
  }

  /** The server's answer to these bytes until it closes the connection. */
  function exchange(bytes: string, { breakOff = false } = {}): Promise<string> {
    const socket = connect(Number(new URL(library.url).port), '127.0.0.1')
    socket.write(bytes)
    if (breakOff) socket.end()
    return text(socket)
  }

  it.each<[string, number, Sent]>([
    ['/books?select=id,title&order=id', 200, {}],
    ['/books?select=id&limit=1', 206, { headers: { prefer: 'count=exact' } }],
    ['/books?select=id', 200, { method: 'HEAD', headers: { prefer: 'count=exact' } }],
    ['/books?id=eq.1&select=title', 200, { headers: { accept: 'application/vnd.pgrst.object+json' } }],
    ['/books?select=id', 200, { headers: { accept: 'text/csv', 'accept-profile': 'library' } }],
    ['/books?select=id', 406, { headers: { accept: 'image/png' } }],
    ['/books?select=id', 406, { headers: { 'accept-profile': 'absent' } }],
    ['/books?offset=100', 416, { headers: { prefer: 'count=exact' } }],
    ['/books?id=nonsense', 400, {}],
    ['/books?select=absent', 400, {}],
    ['/absent', 404, {}],
    ['/secrets', 403, {}],
    ['/books?id=eq.1', 401, { headers: { authorization: 'Bearer nonsense' } }],
    ['/books?id=eq.1', 401, { headers: { authorization: 'nonsense' } }],
    ['/books?id=eq.1', 401, { headers: { apikey: 'nonsense' } }],
    ['/books', 201, { method: 'POST', body: '{"title":"Ünïcode ✓"}' }],
    [
      '/books?select=title',
      201,
      { method: 'POST', body: '[{"title":"x"}]', headers: { prefer: 'return=representation' } },
    ],
    ['/books', 400, { method: 'POST', body: '{"title":' }],
    ['/books', 400, { method: 'POST', body: '{"absent":1}' }],
    ['/books?id=eq.2', 204, { method: 'PATCH', body: '{"price":2}' }],
    [
      '/books?id=eq.2&select=price',
      200,
      { method: 'PATCH', body: '{"price":2}', headers: { prefer: 'return=representation' } },
    ],
    ['/books?id=eq.-1', 204, { method: 'DELETE' }],
    ['/rpc/add', 200, { method: 'POST', body: '{"a":1,"b":2}' }],
    ['/rpc/add?a=1', 200, {}],
    ['/rpc/touch', 204, { method: 'POST', body: '{"book":1}' }],
    ['/rpc/touch?book=1', 405, {}],
    ['/rpc/add', 405, { method: 'DELETE' }],
    ['/rpc/whoami', 200, { headers: { cookie: 'a=1' } }],
    ['/rpc/teapot', 418, { method: 'POST', body: '{}' }],
    ['/rpc/custom', 402, { method: 'POST', body: '{}' }],
    ['/rpc/with_headers', 202, { method: 'POST', body: '{}' }],
    ['/books?id=eq.1', 401, { headers: { authorization: '' } }],
    ['/books/', 404, {}],
    ['/books/1', 404, {}],
    ['/%zz', 404, {}],
    ['/', 200, {}],
    ['/', 404, { method: 'POST', body: '{}' }],
    ['/books', 405, { method: 'PROPFIND' }],
    ['/books', 204, { method: 'OPTIONS' }],
    ['/books/1', 204, { method: 'OPTIONS' }],
  ])('to %s has status %i and all headers, each once: %o', async (path, status, sent) => {
    const { headers, names, body, ...received } = await ask(path, sent)
    expect(received.status).toBe(status)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('content-range'),
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect(new Set(names).size).toBe(names.length)
    if (sent.method !== 'HEAD' && status !== 204)
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
    if (status >= 400) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(Object.keys(JSON.parse(body)).sort()).toEqual(['code', 'details', 'hint', 'message'])
    }
  })

  it('to a preflight request names the headers and methods that browser code may send', async () => {
    const { status, headers, body } = await ask('/books', {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-headers': 'apikey,prefer' },
    })
    expect([status, body]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': 'apikey,prefer',
      'access-control-max-age': '86400',
      'content-length': '0',
      vary: 'Access-Control-Request-Headers',
    })
  })

  it('has a unique id', async () => {
    const [first, second] = [await ask('/books?limit=1'), await ask('/books?limit=1')]
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id'])
  })

  it('has the headers that SQL sets instead of the common ones', async () => {
    await library.gateway.query(`
      create function library.set_headers() returns text language plpgsql volatile as $$ begin
        perform set_config('response.headers',
          '[{"X-Request-Id":"mine"},{"Access-Control-Allow-Origin":"https://a.example"},{"Content-Length":"99"},{"Content-Type":"text/plain"}]', true);
        return 'ok'; end $$;
      grant execute on function library.set_headers to authenticated;
      notify pgrst, 'reload schema'`)
    const call = () => ask('/rpc/set_headers', { method: 'POST', body: '{}' })
    await expect.poll(async () => (await call()).status).toBe(200)
    const { headers, names, body } = await call()
    expect(headers).toMatchObject({
      'x-request-id': 'mine',
      'access-control-allow-origin': 'https://a.example',
      'content-length': '4',
      'content-type': 'text/plain',
    })
    expect([new Set(names).size, body]).toEqual([names.length, '"ok"'])
  })

  it('is for the caller whose key is in the query', async () => {
    const { secrets } = library.gateway
    const role = async (query: string) => {
      const response = await library.fetch(`/rpc/whoami${query}`)
      return ((await response.json()) as { role: string }).role
    }
    expect(await role(`?apikey=${secrets.serviceRoleKey}`)).toBe('service_role')
    expect(await role('')).toBe('anon')
  })

  it('keeps the order of pipelined requests on one connection', async () => {
    const head = (path: string) =>
      `GET /rest/v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${library.readerToken}\r\n`
    const received = await exchange(
      `${head('/rpc/add?a=1&b=1')}\r\n${head('/absent')}\r\n${head('/rpc/add?a=2&b=2')}connection: close\r\n\r\n`,
    )
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  })

  it('comes for a chunked body', async () => {
    const received = await exchange(
      `POST /rest/v1/rpc/add HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${library.readerToken}\r\ncontent-type: application/json\r\n` +
        'transfer-encoding: chunked\r\nconnection: close\r\n\r\n6\r\n{"a":1\r\n7\r\n,"b":2}\r\n0\r\n\r\n',
    )
    expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n3$/)
  })

  it('is counted once, whatever its status', async () => {
    const count = async () => {
      const metrics = await (await fetch(`${library.gateway.url}/metrics`)).text()
      const of = (status: string) =>
        Number(new RegExp(`_count\\{api="rest",method="GET",status="${status}"\\} (\\d+)`).exec(metrics)?.[1])
      return { done: of('2xx'), refused: of('4xx') }
    }
    const before = await count()
    await ask('/books?select=id', {})
    await ask('/books?select=absent', {})
    expect(await count()).toEqual({ done: before.done + 1, refused: before.refused + 1 })
  })

  it("doesn't come for a body that is cut off", async () => {
    const title = `broken off ${process.pid}`
    const body = `{"title":"${title}"}`
    const head = `POST /rest/v1/books HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${library.readerToken}\r\n`
    await exchange(`${head}content-type: application/json\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`, {
      breakOff: true,
    })
    expect(await library.gateway.query('select from library.books where title = $1', [title])).toEqual([])
  })
})
