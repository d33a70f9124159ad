import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Library, openLibrary } from '../testing/library.ts'
import { recognise } from './short-way.ts'

const json = { 'content-type': 'application/json' }

describe('what goes the short way', () => {
  const asked = (method: string, url: string, headers: Record<string, string> = {}) =>
    recognise({ method, url, headers })
  const sized = { ...json, 'content-length': '2' }

  it.each([
    ['GET', '/rest/v1/books', {}],
    ['GET', '/rest/v1/books?select=id', {}],
    ['HEAD', '/rest/v1/rpc/add?a=1', {}],
    ['DELETE', '/rest/v1/books?id=eq.1', { 'content-length': '0' }],
    ['POST', '/rest/v1/rpc/add', sized],
    ['PATCH', '/rest/v1/books?id=eq.1', sized],
  ])('%s %s %o', (method, url, headers) => {
    expect(asked(method, url, headers)).toMatchObject({ hasBody: 'content-type' in headers })
  })

  it('is a name and a query', () => {
    expect(asked('GET', '/rest/v1/books?a=b?c')).toMatchObject({ target: 'relation', name: 'books', search: 'a=b?c' })
    expect(asked('GET', '/rest/v1/rpc/add')).toMatchObject({ target: 'function', name: 'add', search: '' })
    expect(asked('GET', '/rest/v1/rpc')).toMatchObject({ target: 'relation', name: 'rpc' })
  })

  it.each([
    ['GET', '/rest/v1/', {}],
    ['GET', '/rest/v1/books/', {}],
    ['GET', '/rest/v1/b%6Foks', {}],
    ['GET', '/rest/v1/books?apikey=x', {}],
    ['GET', '/auth/v1/user', {}],
    ['GET', '/rest/v1/books', { 'content-length': '3' }],
    ['DELETE', '/rest/v1/books', { 'transfer-encoding': 'chunked' }],
    ['OPTIONS', '/rest/v1/books', {}],
    ['PUT', '/rest/v1/books', sized],
    ['POST', '/rest/v1/books', {}],
    ['POST', '/rest/v1/books', { ...json, 'transfer-encoding': 'chunked' }],
    ['POST', '/rest/v1/books', { ...json, 'content-length': '0' }],
    ['POST', '/rest/v1/books', { ...json, 'content-length': String(5 * 1024 * 1024) }],
    ['POST', '/rest/v1/books', { ...sized, 'content-type': 'text/csv' }],
  ])('is not %s %s %o', (method, url, headers) => {
    expect(asked(method, url, headers)).toBeUndefined()
  })
})

describe('an answer', () => {
  let library: Library
  beforeAll(async () => {
    library = await openLibrary()
  })
  afterAll(() => library.close())

  type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string }

  /** With the headers as they came, but for those that differ from answer to answer. */
  function ask(path: string, { method = 'GET', headers = {}, body }: Sent) {
    const authorization = `Bearer ${library.readerToken}`
    const length = body === undefined ? {} : { ...json, 'content-length': String(Buffer.byteLength(body)) }
    return new Promise<{ status: number | undefined; headers: string[]; body: string; id: unknown }>(
      (resolve, reject) => {
        const sent = request(`${library.url}${path}`, { method, headers: { authorization, ...length, ...headers } })
        sent.on('error', reject).on('response', async (answer) => {
          const raw = answer.rawHeaders
          const pairs = raw.flatMap((name, at) => (at % 2 ? [] : [`${name}: ${raw[at + 1]}`]))
          resolve({
            status: answer.statusCode,
            headers: pairs.filter((pair) => !/^(date|x-request-id|location):/i.test(pair)).sort(),
            body: await text(answer),
            id: answer.headers['x-request-id'],
          })
        })
        sent.end(body)
      },
    )
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
  ])('to %s is the same both ways: %i %o', async (path, status, sent) => {
    // A key in the query takes the request the long way, and says nothing of its own.
    const long = `${path}${path.includes('?') ? '&' : '?'}apikey=${library.gateway.secrets.anonKey}`
    const [straight, around] = [await ask(path, sent), await ask(long, sent)]
    expect(straight.status).toBe(status)
    expect({ ...straight, id: null }).toEqual({ ...around, id: null })
    expect(straight.id).toMatch(/^[\da-f-]{36}$/)
    expect(straight.id).not.toBe(around.id)
  })

  it('is counted once, the refused ones too', async () => {
    const count = async () => {
      const figures = await (await fetch(`${library.gateway.url}/metrics`)).text()
      const of = (status: string) =>
        Number(new RegExp(`_count\\{door="rest",method="GET",status="${status}"\\} (\\d+)`).exec(figures)?.[1])
      return { done: of('2xx'), refused: of('4xx') }
    }
    const before = await count()
    await ask('/books?select=id', {})
    await ask('/books?select=absent', {})
    expect(await count()).toEqual({ done: before.done + 1, refused: before.refused + 1 })
  })

  it('does not come of a body that breaks off', async () => {
    const title = `broken off ${process.pid}`
    const body = `{"title":"${title}"}`
    const { port } = new URL(library.url)
    const socket = connect(Number(port), '127.0.0.1')
    const head = `POST /rest/v1/books HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${library.readerToken}\r\n`
    socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`)
    await new Promise<void>((resolve) => {
      socket
        .once('close', () => resolve())
        .resume()
        .end()
    })
    expect(await library.gateway.query('select from library.books where title = $1', [title])).toEqual([])
  })
})
