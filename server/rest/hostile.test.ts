import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
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

/** `npm run proof:rest` sends 100,000; a run of the whole suite uses a sample. */
const runs = Number(process.env.PROOF_REST_RUNS ?? 2_000)
const atOnce = 8
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
afterAll(() => agent.destroy())

type Answered = { readonly status: number; readonly text: string }

/** Sent with node:http, because fetch corrects malformed parts before it sends. */
function send({ method, target, name, search, headers, body }: RestRequest): Promise<Answered> {
  const path = `/rest/v1/${target === 'function' ? 'rpc/' : ''}${encodeURIComponent(name.toWellFormed())}?${encodeRaw(search)}`
  const given = Object.entries(headers).filter((entry): entry is [string, string] => isSendable(entry[1]))
  return new Promise((resolve, reject) => {
    const url = new URL(library.gateway.url)
    const sent = httpRequest(
      {
        agent,
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

/** Only characters that can't be in a request line. */
const encodeRaw = (text: string) => text.replace(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char.toWellFormed()))
const isSendable = (value: unknown) => typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value)

/** Any bytes at all, in places where a client puts some: no client library would send them. */
function sendBytes({ place, bytes }: { place: BytePlace; bytes: Uint8Array }): Promise<Answered> {
  const raw = Buffer.from(bytes).toString('latin1')
  const line = place === 'query' ? `GET /rest/v1/books?${raw} HTTP/1.1` : 'POST /rest/v1/rpc/echo HTTP/1.1'
  const header = place === 'header' ? raw : 'application/json'
  const body = place === 'body' ? raw : '{}'
  return new Promise((resolve, reject) => {
    const url = new URL(library.gateway.url)
    const socket = connect(Number(url.port), url.hostname)
    let text = ''
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece
    })
    // Closing the connection without an answer is a rejection too.
    socket.on('close', () => resolve({ status: Number(text.slice(9, 12)) || 400, text })).on('error', reject)
    socket.write(
      `${line}\r\nHost: x\r\nPrefer: ${header}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      'latin1',
    )
  })
}

const bytePlaces = ['query', 'header', 'body'] as const
type BytePlace = (typeof bytePlaces)[number]
const anyBytes = fc.record({ place: fc.constantFrom(...bytePlaces), bytes: fc.uint8Array({ maxLength: 60 }) })
const wellFormed = fc
  .tuple(wellFormedRequest, fc.string({ maxLength: 8, unit: 'binary' }))
  // Lone surrogates are invalid in a URL.
  .map(([{ build }, value]) => build(value.toWellFormed()))

const anything = fc.oneof(
  { weight: 6, arbitrary: hostileRequest.map((given) => () => send(given)) },
  { weight: 3, arbitrary: wellFormed.map((given) => () => send(given)) },
  { weight: 1, arbitrary: anyBytes.map((given) => () => sendBytes(given)) },
)

it(
  'answers no request with a 5xx, and leaves every connection usable',
  async () => {
    const batch = fc.array(anything, { minLength: atOnce, maxLength: atOnce })
    await fc.assert(
      fc.asyncProperty(batch, async (requests) => {
        for (const { status, text } of await Promise.all(requests.map((request) => request()))) {
          expect(status, text).toBeGreaterThanOrEqual(200)
          expect(status, text).toBeLessThan(500)
        }
      }),
      { numRuns: Math.ceil(runs / atOnce) },
    )
    const open = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
    expect(await library.gateway.query(open)).toEqual([])
    // Uses every pooled connection: none is left in another caller's role.
    const visits = await Promise.all(Array.from({ length: 12 }, () => library.anon.rpc('whoami')))
    for (const { data } of visits) expect(data).toMatchObject({ role: 'anon', method: 'POST', path: '/rpc/whoami' })
  },
  Math.max(120_000, runs * 20),
)

it.each([
  ['extreme nesting', `/books?and=${'('.repeat(100)}`],
  ['a very long list', `/books?id=in.(${'1,'.repeat(3_000)}1)`],
  ['stray percent signs', '/books?id=eq.%&%zz=%'],
  ['bytes that are not UTF-8', '/books?title=eq.%ff%fe'],
  ['a number beyond every integer', '/books?id=eq.99999999999999999999999999'],
  ['an offset beyond every integer', '/books?offset=99999999999999999999999999'],
  ['a cast to an unknown type', '/books?select=id::nothing'],
  ['a cast to more than a type', '/books?select=id::int select 1'],
  ['a type that does not fit', '/books?select=tags::int'],
  ['an operator that does not fit', '/books?id=like.1*'],
  ['an invalid regular expression', '/books?title=match.(['],
  ['an unknown language', '/books?title=fts(klingon).x'],
  ['a sum of texts', '/books?select=title.sum()'],
])('refuses or answers %s', async (_, path) => {
  expect((await library.fetch(path)).status).toBeLessThan(500)
})

it('rejects a body that is too deep for PostgreSQL as a client error', async () => {
  const response = await library.fetch('/books?columns=data', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${library.readerToken}` },
    body: `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  })
  expect(response.status).toBe(400)
})

it('rejects a body over the limit with 413', async () => {
  const response = await library.fetch('/books', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${library.readerToken}` },
    body: JSON.stringify({ title: 'x'.repeat(5_000_000) }),
  })
  expect(response.status).toBe(413)
  expect(Object.keys((await response.json()) as object).sort()).toEqual(['code', 'details', 'hint', 'message'])
})
