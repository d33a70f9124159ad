import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FastifyInstance, fastify } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Compressor } from './compress.ts'
import { webApp } from './web-app.ts'

const sources = fileURLToPath(new URL('../../web', import.meta.url))
const log = pino({ level: 'silent' })
const services = {
  log,
  compressor: new Compressor(1000, log),
  hasProductSchema: false,
  trustsProxy: (address: string) => address === '127.0.0.1',
}
let directory: string
let app: FastifyInstance
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ovation-web-'))
  app = fastify()
  await app.register(webApp, { services: services as never, directory })
})
afterEach(async () => {
  await app.close()
  rmSync(directory, { recursive: true, force: true })
})

/** The files that the build copies unchanged, and the page. */
function build() {
  cpSync(join(sources, 'public'), directory, { recursive: true })
  cpSync(join(sources, 'index.html'), join(directory, 'index.html'))
}

it.each([
  ['/favicon.ico', /^image\/png/],
  ['/favicon.svg', /^image\/svg\+xml/],
])('serves %s as a file that browsers revalidate, not the page', async (url, type) => {
  build()
  const answer = await app.inject(url)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({ 'content-type': expect.stringMatching(type), 'cache-control': 'no-cache' })
  expect(answer.body).not.toContain('<!doctype html>')
  const known = { 'if-none-match': String(answer.headers.etag) }
  expect((await app.inject({ url, headers: known })).statusCode).toBe(304)
})

it('answers other paths with the page: 200 for a screen, 404 for anything else', async () => {
  build()
  for (const [url, status] of [
    ['/', 200],
    ['/explore', 200],
    ['/no/such/screen', 404],
  ] as const) {
    const answer = await app.inject(url)
    expect([answer.statusCode, answer.headers['content-type']], url).toEqual([status, 'text/html; charset=utf-8'])
  }
  expect((await app.inject('/assets/old.js')).headers['content-type']).toMatch(/json/)
})

it('begins with the head of its path in place of the title, whatever a text in it contains [FIND-02]', async () => {
  build()
  const withHead = fastify()
  const head = async ({ url }: { url: string }) => ({ html: `<title>${url} $& $1</title>`, hasFailed: false })
  await withHead.register(webApp, { services: services as never, directory, readHead: head })
  for (const url of ['/', '/explore?category=Art', '/no/such/screen'])
    expect((await withHead.inject(url)).body.match(/<title>.*<\/title>/g)).toEqual([`<title>${url} $& $1</title>`])
  await withHead.close()
})

it('reads so many heads a minute for one client, and then sends the document without one', async () => {
  build()
  const withHead = fastify()
  let read = 0
  const head = async () => {
    read += 1
    return { html: '<title>A head</title>', hasFailed: false }
  }
  await withHead.register(webApp, { services: services as never, directory, readHead: head })
  const ask = (url: string, from: string) => withHead.inject({ url, headers: { 'x-forwarded-for': from } })
  vi.spyOn(performance, 'now').mockReturnValue(1_000) // no time passes in which more would be allowed
  for (let number = 0; number < 300; number++) await ask(`/profile/user${number}`, '203.0.113.7')
  const { statusCode, body } = await ask('/profile/mara', '203.0.113.7')
  expect([statusCode, body.includes('<title>Ovation</title>')]).toEqual([200, true])
  expect((await ask('/nothing-here', '203.0.113.7')).statusCode).toBe(404)
  expect(read).toBe(300)
  expect((await ask('/profile/mara', '203.0.113.8')).body).toContain('<title>A head</title>')
  vi.restoreAllMocks()
  await withHead.close()
})

it('looks once for another address of a profile that has no page, or one that fails [PAGE-02]', async () => {
  build()
  mkdirSync(join(directory, '.server'))
  writeFileSync(
    join(directory, '.server', 'server-page.js'),
    `export async function renderPage({ address }) {
       if (address === '/profile/broken') throw new Error('nothing to render')
       return null
     }`,
  )
  let reads = 0
  const rows = async ({ values: [username] }: { values: [string] }) => {
    reads += 1
    return [{ username: username === 'mara-before' ? 'mara' : null }]
  }
  const withPages = fastify()
  const siteUrl = () => 'https://ovation.example'
  const product = {
    ...services,
    hasProductSchema: true,
    config: { customDomains: false, operator: {} },
    secrets: {},
    stripe: {},
    siteUrl,
    database: { as: () => ({ rows }) },
  }
  await withPages.register(webApp, { services: product as never, directory, handle: () => undefined })
  for (const [username, status] of [
    ['nobody', 200],
    ['broken', 200],
    ['mara-before', 302],
  ] as const) {
    reads = 0
    expect((await withPages.inject(`/profile/${username}`)).statusCode, username).toBe(status)
    expect(reads, username).toBe(1)
  }
  await withPages.close()
})

it('says that it is being built on a page that reloads itself, and is there afterwards', async () => {
  const early = await app.inject('/explore')
  expect(early.statusCode).toBe(503)
  expect(early.headers).toMatchObject({ 'retry-after': '2', 'content-type': 'text/html; charset=utf-8' })
  expect(early.body).toContain('<meta http-equiv="refresh" content="2">')
  expect((await app.inject('/favicon.ico')).statusCode).toBe(404)
  build()
  expect((await app.inject('/explore')).statusCode).toBe(200)
})
