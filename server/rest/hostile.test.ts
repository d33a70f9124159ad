import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RestRequest } from './parse/request.ts'
import { type Library, openLibrary } from './testing/library.ts'
import { hostileRequest, wellFormedRequest } from './testing/requests.ts'

let library: Library

beforeAll(async () => {
  library = await openLibrary()
})
afterAll(() => library.close())

/** Sent with node:http, for fetch repairs what is malformed before it leaves. */
function send({ method, target, name, search, headers, body }: RestRequest): Promise<{ status: number; text: string }> {
  const path = `/rest/v1/${target === 'function' ? 'rpc/' : ''}${encodeURIComponent(name)}?${encodeRaw(search)}`
  const given = Object.entries(headers).filter((entry): entry is [string, string] => isSendable(entry[1]))
  return new Promise((resolve, reject) => {
    const url = new URL(library.gateway.url)
    const sent = httpRequest(
      {
        agent: false,
        host: url.hostname,
        port: url.port,
        method,
        path,
        headers: {
          ...Object.fromEntries(given),
          authorization: `Bearer ${library.readerToken}`,
          'content-length': body?.length ?? 0,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', reject)
      },
    )
    sent.on('error', reject).end(body)
  })
}

/** Only what can't stand in a request line. */
const encodeRaw = (text: string) => text.replace(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char.toWellFormed()))
const isSendable = (value: unknown) => typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value)

it('answers no request with a 5xx, and leaves every connection usable', async () => {
  await fc.assert(
    fc.asyncProperty(hostileRequest, async (given) => {
      const { status, text } = await send(given)
      expect(status, text).toBeGreaterThanOrEqual(200)
      expect(status, text).toBeLessThan(500)
    }),
    { numRuns: 1_500 },
  )
  await fc.assert(
    fc.asyncProperty(wellFormedRequest, fc.string({ maxLength: 8, unit: 'binary' }), async ({ build }, value) => {
      // Lone surrogates have no place in a URL.
      const { status, text } = await send(build(value.toWellFormed()))
      expect(status, text).toBeLessThan(500)
    }),
    { numRuns: 1_000 },
  )
  const open = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  expect(await library.gateway.query(open)).toEqual([])
  expect((await library.anon.rpc('add', { a: 1 })).data).toBe(11)
}, 120_000)

it.each([
  ['a nesting beyond reason', `/books?and=${'('.repeat(100)}`],
  ['a very long list', `/books?id=in.(${'1,'.repeat(3_000)}1)`],
  ['stray percent signs', '/books?id=eq.%&%zz=%'],
  ['bytes that are no UTF-8', '/books?title=eq.%ff%fe'],
  ['a number beyond every integer', '/books?id=eq.99999999999999999999999999'],
  ['an offset beyond every integer', '/books?offset=99999999999999999999999999'],
  ['a cast to nothing', '/books?select=id::nothing'],
  ['a cast to everything', '/books?select=id::int select 1'],
  ['a type that does not fit', '/books?select=tags::int'],
  ['an operator that does not fit', '/books?id=like.1*'],
  ['a regular expression that is none', '/books?title=match.(['],
  ['a language that is none', '/books?title=fts(klingon).x'],
  ['a sum of texts', '/books?select=title.sum()'],
])('refuses or answers %s', async (_, path) => {
  expect((await library.fetch(path)).status).toBeLessThan(500)
})

it('refuses a body that is too deep for PostgreSQL as the mistake of the client', async () => {
  const response = await library.fetch('/books?columns=data', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${library.readerToken}` },
    body: `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  })
  expect(response.status).toBe(400)
})

it('refuses a body over the limit with 413', async () => {
  const response = await library.fetch('/books', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${library.readerToken}` },
    body: JSON.stringify({ title: 'x'.repeat(5_000_000) }),
  })
  expect(response.status).toBe(413)
  expect(Object.keys((await response.json()) as object).sort()).toEqual(['code', 'details', 'hint', 'message'])
})
