import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { notFoundTexts } from '../contract/texts/not-found.ts'
import { findBrowser } from '../server/testing/find-program.ts'
import { freePort } from '../server/testing/free-port.ts'
import { startProduct } from '../server/testing/product.ts'

const usage = `npm run proof:crawl [-- --url URL] [--as NAMES] [--each N]

  --url   an installation with the demo; otherwise a new one is started
  --as    visitor and usernames of the demo, separated by commas; visitor,lena,mara,robin (the admin)
  --each  the most pages of one kind, such as posts, for those who are signed in, and of ways to sign in; 6
`
const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    as: { type: 'string', default: 'visitor,lena,mara,robin' },
    each: { type: 'string', default: '6' },
    help: { type: 'boolean' },
  },
})
const password = 'ovation-demo'
/** A page that has no response for so long has loaded. */
const quietMs = 400
const patienceMs = 15_000
/** What the browser says because of `serviceWorkers: 'block'` below. */
const blockedWorker = 'Service Worker registration blocked'

type Fault = { readonly who: string; readonly path: string; readonly what: string }
type Visited = {
  /** Where the link has led to: for visitors, the sign-in screen is behind many. */
  readonly path: string
  readonly title: string
  readonly canonical: string
  readonly links: readonly string[]
  readonly faults: readonly string[]
}

/**
 * `npm run proof:crawl`: follows every link of the demo, as a visitor and as users, and reports dead links, errors in the console, failed
 * requests, broken pictures, and pages that have the same title. Exits with 1 if there are any.
 */
async function main() {
  if (options.help) return void process.stdout.write(usage)
  if (options.url !== undefined) return crawl(options.url)
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-crawl-'))
  try {
    const product = await startProduct(dataDir, await freePort(), { DEMO: '1' })
    try {
      await crawl(product.url)
    } finally {
      await product.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function crawl(url: string) {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })
  try {
    const faults: Fault[] = []
    for (const who of options.as.split(',')) faults.push(...(await crawlAs(browser, url, who)))
    for (const { who, path, what } of faults) process.stdout.write(`${who}  ${path}  ${what}\n`)
    process.stdout.write(`${faults.length} faults\n`)
    if (faults.length > 0) process.exitCode = 1
  } finally {
    await browser.close()
  }
}

async function crawlAs(browser: Browser, url: string, who: string): Promise<Fault[]> {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block' })
  if (who !== 'visitor') await signIn(context, url, who)
  const visited = new Map<string, Visited>()
  const waiting = ['/']
  const ofKind = new Map<string, number>()
  const seen = new Set(waiting)
  const page = await context.newPage()
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const found = await visit(page, path)
    visited.set(path, found)
    for (const link of found.links) {
      const kind = kindOf(link)
      const count = ofKind.get(kind) ?? 0
      // A visitor sees everything but each way to sign in; a user's pages look alike, and each takes seconds.
      const isLimited = who !== 'visitor' || kind.startsWith('/auth')
      if (seen.has(link) || (isLimited && count >= Number(options.each))) continue
      seen.add(link)
      ofKind.set(kind, count + 1)
      waiting.push(link)
    }
  }
  await context.close()
  process.stdout.write(`${who}: ${visited.size} pages\n`)
  const broken = [...visited].flatMap(([path, { faults }]) => faults.map((what) => ({ who, path, what })))
  return [...broken, ...sameTitles(visited).map((fault) => ({ who, ...fault }))]
}

async function signIn(context: BrowserContext, url: string, username: string) {
  const config = (await (await fetch(`${url}/app-config.json`)).json()) as { anonKey: string }
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: config.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${username}@ovation.example`, password }),
  })
  if (!answer.ok) throw new Error(`${username} can't sign in: ${await answer.text()}`)
  const { hostname } = new URL(url)
  const session = { key: `sb-${hostname.split('.')[0]}-auth-token`, value: await answer.text() }
  await context.addInitScript(
    ({ key, value }) => localStorage.getItem(key) ?? localStorage.setItem(key, value),
    session,
  )
}

async function visit(page: Page, path: string): Promise<Visited> {
  const faults: string[] = []
  const onConsole = (message: { type(): string; text(): string }) => {
    const isFault = message.type() === 'error' || message.type() === 'warning'
    if (isFault && !message.text().includes(blockedWorker)) faults.push(`console: ${message.text()}`)
  }
  const onError = (error: Error) => faults.push(`error: ${error.message}`)
  const onResponse = (response: { status(): number; url(): string }) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
  }
  page.on('console', onConsole).on('pageerror', onError).on('response', onResponse)
  try {
    await page.goto(path, { waitUntil: 'load' })
    await untilQuiet(page)
    await scrollThrough(page)
    const read = await page.evaluate<Omit<Visited, 'faults'> & { pictures: string[]; isMissing: boolean }>(`(() => {
      const links = [...document.querySelectorAll('a[href]')]
      const pictures = [...document.images].filter((image) => image.complete && image.naturalWidth === 0 && image.currentSrc)
      return {
        path: location.pathname,
        title: document.title,
        canonical: document.querySelector('link[rel="canonical"]')?.href ?? '',
        links: links.filter((link) => link.origin === location.origin && !link.hasAttribute('download')).map((link) => link.pathname + link.search),
        pictures: pictures.map((image) => image.currentSrc),
        isMissing: document.querySelector('main h1')?.textContent === ${JSON.stringify(notFoundTexts.title)},
      }
    })()`)
    faults.push(...read.pictures.map((picture) => `broken picture ${picture}`))
    if (read.isMissing) faults.push('leads nowhere')
    const links = read.links.filter((link) => !/^\/(?:auth\/v1|storage|rest|functions|feeds|sandbox)\//.test(link))
    return { path: read.path, title: read.title, canonical: read.canonical, links, faults }
  } catch (error) {
    return {
      path,
      title: '',
      canonical: '',
      links: [],
      faults: [...faults, `can't be opened: ${(error as Error).message}`],
    }
  } finally {
    page.off('console', onConsole).off('pageerror', onError).off('response', onResponse)
  }
}

async function untilQuiet(page: Page) {
  const deadline = Date.now() + patienceMs
  for (let before = -1; Date.now() < deadline; ) {
    const now = await page.evaluate<number>(
      `performance.getEntriesByType('resource').length + 1000 * document.querySelectorAll('[role="status"][aria-label="Loading…"]').length`,
    )
    if (now === before) return
    before = now
    await page.waitForTimeout(quietMs)
  }
}

/** Pictures further down load when they come into sight. */
async function scrollThrough(page: Page) {
  for (let turn = 0; turn < 4; turn++) {
    await page.evaluate('window.scrollBy(0, window.innerHeight * 2)')
    await page.waitForTimeout(60)
  }
  await untilQuiet(page)
}

/** Pages with the same pattern: `/post/…`, and a screen's tabs. */
function kindOf(link: string): string {
  const { pathname, searchParams } = new URL(link, 'http://site')
  const [, first = ''] = pathname.split('/')
  return `/${first}${pathname.split('/').length > 2 ? '/*' : ''}?${[...searchParams.keys()].join('&')}`
}

/** Titles of more than one page. Pages with the same canonical address are one page. */
function sameTitles(visited: ReadonlyMap<string, Visited>): { path: string; what: string }[] {
  const byTitle = new Map<string, Map<string, string>>()
  for (const [link, { path, title, canonical }] of visited) {
    const pages = byTitle.get(title) ?? new Map<string, string>()
    pages.set(canonical === '' ? path : new URL(canonical).pathname, link)
    byTitle.set(title, pages)
  }
  return [...byTitle].flatMap(([title, pages]) =>
    pages.size > 1 ? [{ path: [...pages.values()].join(' '), what: `same title: ${title}` }] : [],
  )
}

await main()
