import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FastifyInstance, fastify } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { Compressor } from './compress.ts'
import { webApp } from './web-app.ts'

const site = 'https://ovation.example'
const log = pino({ level: 'silent' })
const domains: Readonly<Record<string, string>> = { 'mara.example': 'mara', 'broken.example': 'broken' }
let reads = 0
let headFails = false
const services = {
  log,
  compressor: new Compressor(1000, log),
  hasProductSchema: true,
  config: { customDomains: true, operator: {} },
  secrets: {},
  stripe: {},
  trustsProxy: () => false,
  siteUrl: () => site,
  database: {
    service: {
      rows: async ({ values: [domain] }: { values: [string] }) => {
        reads += 1
        return [{ username: domains[domain] ?? null }]
      },
    },
    as: () => ({ rows: async () => [] }),
  },
}

/** In the place of the web app's build. */
const serverPage = `
export async function renderPage({ address }) {
  if (address === '/profile/broken') throw new Error('nothing to render')
  return { html: '<main>' + address + ' <a href="/explore">Explore</a><button>Follow</button></main>', data: '{"secretless":1}' }
}`
const document = `<!doctype html><html><head><title>Ovation</title><link rel="manifest" href="/manifest.webmanifest" />
<link rel="preload" href="/app-config.json" as="fetch" crossorigin="anonymous" /><script src="/color-scheme.js"></script>
<script type="module" crossorigin src="/assets/main.js"></script><link rel="modulepreload" crossorigin href="/assets/x.js">
<link rel="stylesheet" crossorigin href="/assets/main.css"></head><body><div id="root"></div><noscript>This site needs JavaScript.</noscript></body></html>`

let directory: string
let app: FastifyInstance
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'ovation-domains-'))
  mkdirSync(join(directory, '.server'))
  writeFileSync(join(directory, '.server', 'server-page.js'), serverPage)
  writeFileSync(join(directory, 'index.html'), document)
  writeFileSync(join(directory, 'custom-domain.js'), '// script')
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))
beforeEach(async () => {
  reads = 0
  headFails = false
  app = fastify()
  const readHead = async (_request: unknown, path: string) =>
    headFails
      ? { html: '<title>No head</title>', hasFailed: true }
      : { html: `<title>Head of ${path}</title>`, hasFailed: false }
  await app.register(webApp, { services: services as never, directory, handle: () => undefined, readHead })
})
afterEach(() => app.close())

const get = (url: string, host = 'mara.example') => app.inject({ url, headers: { host } })

it('shows the profile at its domain, without the app, and leads to the site from buttons [PAGE-02]', async () => {
  const { statusCode, body, headers } = await get('/')
  expect(statusCode).toBe(200)
  expect(body).toContain('<main>/profile/mara ')
  expect(body).toContain('<title>Head of /profile/mara</title>')
  expect(body).toContain(`<script src="/custom-domain.js" data-profile="${site}/profile/mara" defer></script>`)
  expect(body).toContain('<link rel="stylesheet" crossorigin href="/assets/main.css">')
  for (const part of ['/assets/main.js', 'modulepreload', 'app-config', 'manifest', 'secretless', 'noscript'])
    expect(body).not.toContain(part)
  const policy = String(headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'none';/)
})

it('serves files at a domain, and redirects everything else to the site [PAGE-02]', async () => {
  expect((await get('/custom-domain.js')).body).toBe('// script')
  for (const url of ['/explore?category=Art', '/profile/mara', '/auth', '/nothing', '//elsewhere.example/x']) {
    const { statusCode, headers } = await get(url)
    expect([statusCode, headers.location, headers['cache-control']], url).toEqual([302, site + url, 'no-cache'])
  }
  expect((await get('/assets/old.js')).statusCode).toBe(404)
})

it('redirects to the profile if it cannot be rendered [PAGE-02]', async () => {
  const { statusCode, headers } = await get('/', 'broken.example')
  expect([statusCode, headers.location]).toEqual([302, `${site}/profile/broken`])
})

it('is the site itself at all other hosts, and looks each up once [PAGE-02]', async () => {
  for (const host of [
    'ovation.example',
    'ovation.example:443',
    'other.example',
    'other.example:81',
    '127.0.0.1',
    '<x>',
  ]) {
    const { statusCode, body } = await get('/', host)
    expect(statusCode, host).toBe(200)
    expect(body, host).toContain('<title>Head of /</title>')
  }
  expect(reads).toBe(1)
})

it('keeps no page whose head could not be read, so that one visitor cannot spoil it for others [FIND-01]', async () => {
  for (const [host, path] of [
    ['ovation.example', '/profile/mara'],
    ['mara.example', '/'],
  ] as const) {
    headFails = true
    expect((await get(path, host)).body, host).not.toContain('<main>')
    headFails = false
    const { body } = await get(path, host)
    expect(body, host).toContain('<title>Head of /profile/mara</title>')
    expect(body, host).toContain('<main>/profile/mara ')
  }
})
