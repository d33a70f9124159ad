import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { RealtimeStatus } from '../../realtime/realtime-status.ts'
import { ScreenDocument } from './screen-document.ts'
import { type VisitorPage, VisitorPages } from './visitor-pages.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'ovation-pages-'))
  mkdirSync(join(directory, '.server'))
  writeFileSync(join(directory, '.server', 'server-page.js'), build)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** In the place of the web app's build: what it read is its page. */
const build = `
export async function renderPage({ address, isPhone, config }) {
  if (address === '/profile/broken') throw new Error('nothing to render')
  if (address === '/profile/slow') await new Promise(() => undefined)
  if (address === '/profile/gone') return null
  const headers = { apikey: 'public', 'content-type': 'application/json' }
  const read = await fetch(config.supabaseUrl + '/rest/v1/read?of=' + address, { headers })
  const posted = await fetch(config.supabaseUrl + '/storage/v1/sign', { method: 'POST', headers, body: '{"paths":[]}' })
  const html = JSON.stringify({ address, isPhone, read: await read.json(), posted: await posted.json() })
  return { html, data: '{}' }
}`

const opened: VisitorPages[] = []
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const pages of opened.splice(0)) await pages.close()
})

/** Answers every request with what it says, and counts them. */
function open(options: Partial<ConstructorParameters<typeof VisitorPages>[0]> = {}) {
  const requests: string[] = []
  const pages = new VisitorPages({
    directory,
    handle: async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { method, url, headers, socket } = request
      requests.push(`${method} ${url}`)
      const said = { method, url, host: headers.host, apikey: headers.apikey, from: socket.remoteAddress }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...said, body: Buffer.concat(chunks).toString() }))
    },
    appConfig: () => ({ supabaseUrl: 'https://ovation.example' }),
    log: pino({ level: 'silent' }),
    timeoutMs: 60_000, // on a busy machine, the thread starts late
    ...options,
  })
  opened.push(pages)
  return { pages, requests }
}

const isRedirected = async () => false
const compose = async ({ html }: VisitorPage) => new ScreenDocument(html)
const visitor = { isPhone: false, address: '203.0.113.7', client: '203.0.113.7', kind: 'site', compose, isRedirected }

it('renders a screen with what its visitor may read, in process and on their account [FIND-01]', async () => {
  const { pages } = open()
  const page = await pages.read({ ...visitor, url: '/profile/mara' })
  const { read, posted } = JSON.parse(page?.html ?? '')
  const by = { host: 'ovation.example', apikey: 'public', from: visitor.address }
  expect(read).toEqual({ ...by, method: 'GET', url: '/rest/v1/read?of=/profile/mara', body: '' })
  expect(posted).toEqual({ ...by, method: 'POST', url: '/storage/v1/sign', body: '{"paths":[]}' })
})

it('renders a page once for all who come within seconds, and once more for phones', async () => {
  const { pages, requests } = open({ freshMs: 300 })
  const url = '/profile/mara'
  const [first] = await Promise.all(Array.from({ length: 20 }, () => pages.read({ ...visitor, url })))
  expect(await pages.read({ ...visitor, url })).toBe(first)
  expect(requests).toHaveLength(2)
  const phone = await pages.read({ ...visitor, url, isPhone: true })
  expect(JSON.parse(phone?.html ?? '')).toMatchObject({ isPhone: true })
  expect(requests).toHaveLength(4)
  await sleep(350)
  await pages.read({ ...visitor, url })
  expect(requests).toHaveLength(6)
})

it('renders a page again once what it shows has changed, at most twice a second [FIND-05]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const changes = new RealtimeStatus()
  const { pages, requests } = open({ changes })
  const rendered = async () => {
    const before = requests.length
    await pages.read({ ...visitor, url: '/profile/mara' })
    return requests.length > before
  }
  expect([await rendered(), await rendered()]).toEqual([true, false])
  changes.tell('messages') // no visitor sees them
  expect(await rendered()).toBe(false)
  changes.tell('posts')
  expect([await rendered(), await rendered()]).toEqual([true, false])
  changes.tell('posts')
  expect(await rendered()).toBe(false)
  vi.advanceTimersByTime(1_000)
  expect([await rendered(), await rendered()]).toEqual([true, false])
  changes.tell('comments')
  expect(await rendered()).toBe(true)
})

it('gives nobody else a page that was being rendered when something changed [FIND-05]', async () => {
  const changes = new RealtimeStatus()
  const { pages, requests } = open({ changes })
  const url = '/profile/mara'
  const rendering = pages.read({ ...visitor, url })
  await eventually(() => expect(requests.length).toBeGreaterThan(0))
  changes.tell('posts')
  expect(await pages.read({ ...visitor, url })).not.toBe(await rendering)
})

it('shows a page as it was before a change while it can’t be rendered again', async () => {
  const changes = new RealtimeStatus()
  const { pages } = open({ changes })
  vi.spyOn(performance, 'now').mockReturnValue(1_000) // no time passes in which more would be allowed
  const known = await pages.read({ ...visitor, url: '/profile/mara' })
  for (let number = 0; number < 59; number += 1) await pages.read({ ...visitor, url: `/profile/user${number}` })
  changes.tell('posts')
  expect(await pages.read({ ...visitor, url: '/profile/mara' })).toBe(known)
  const renewed = await pages.read({ ...visitor, client: '203.0.113.8', url: '/profile/mara' })
  expect(renewed).not.toBe(known)
  expect(await pages.read({ ...visitor, url: '/profile/mara' })).toBe(renewed)
})

it('ignores what other sites append to the address, and keeps what decides the page', async () => {
  const { pages, requests } = open()
  const address = async (url: string) => JSON.parse((await pages.read({ ...visitor, url }))?.html ?? '').address
  expect(await address('/profile/mara?fbclid=x1&utm_source=y')).toBe('/profile/mara')
  expect(await address('/profile/mara?fbclid=x2')).toBe('/profile/mara')
  expect(requests).toHaveLength(2)
  expect(await address('/profile/mara?utm_source=y&tab=media')).toBe('/profile/mara?tab=media')
  expect(await address(`/profile/mara?tab=${'x'.repeat(41)}`)).toBe('/profile/mara')
  expect(requests).toHaveLength(4)
})

it('renders so many pages a minute for one client, and serves all from the cache', async () => {
  const { pages, requests } = open()
  vi.spyOn(performance, 'now').mockReturnValue(1_000) // no time passes in which more would be allowed
  for (let number = 0; number < 70; number += 1) await pages.read({ ...visitor, url: `/profile/user${number}` })
  expect(requests).toHaveLength(120)
  expect(await pages.read({ ...visitor, url: '/profile/mara' })).toBeNull()
  expect(await pages.read({ ...visitor, url: '/profile/user59' })).not.toBeNull()
  expect(await pages.read({ ...visitor, client: '203.0.113.8', url: '/profile/mara' })).not.toBeNull()
  expect(await pages.read({ ...visitor, url: '/profile/mara' })).not.toBeNull()
})

it('keeps 500 addresses at most, however many lead elsewhere [FIND-01]', async () => {
  const { pages, requests } = open()
  let probes = 0
  const isRedirected = async () => {
    probes += 1
    return true
  }
  const read = (number: number) =>
    pages.read({ ...visitor, client: `client ${number}`, url: `/profile/former${number}`, isRedirected })
  for (let number = 0; number < 1000; number += 1) expect(await read(number)).toBeNull()
  expect([probes, requests]).toEqual([1000, []])
  await read(999)
  await read(500)
  expect(probes).toBe(1000)
  await read(499)
  expect(probes).toBe(1001)
})

it('renders two pages at once for one client, and those of others in between', async () => {
  const { pages } = open()
  const urls = Array.from({ length: 5 }, (_, number) => `/profile/user${number}`)
  const read = await Promise.all([
    ...urls.map((url) => pages.read({ ...visitor, url })),
    pages.read({ ...visitor, client: '203.0.113.8', url: '/profile/mara' }),
  ])
  expect(read.map((page) => page !== null)).toEqual([true, true, false, false, false, true])
  expect(await pages.read({ ...visitor, url: '/profile/user4' })).not.toBeNull()
})

it.each([
  ['a screen of members', '/settings'],
  ['a path without a screen', '/nothing-here'],
  ['an address that redirects', '/profile/gone'],
  ['a screen that fails to render', '/profile/broken'],
])('leaves %s to the browser', async (_what, url) => {
  expect(await open().pages.read({ ...visitor, url })).toBeNull()
})

it('leaves a page that takes too long to the browser, and renders the next one', async () => {
  const { pages } = open({ timeoutMs: 5_000 })
  expect(await pages.read({ ...visitor, url: '/profile/slow' })).toBeNull()
  expect(await pages.read({ ...visitor, url: '/profile/mara' })).not.toBeNull()
})

it('has no pages before the web app is built', async () => {
  const pages = new VisitorPages({
    directory: join(directory, 'nothing'),
    handle: () => undefined,
    appConfig: () => ({}),
    log: pino({ level: 'silent' }),
  })
  opened.push(pages)
  expect(await pages.read({ ...visitor, url: '/explore' })).toBeNull()
})
