import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { paths } from '@ovation/contract/paths'
import { findScreen } from '@ovation/contract/screens'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ApiOptions } from './api.ts'
import { describeApp } from './app-config.ts'
import { clientAddress, clientKey } from './client-address.ts'
import { compressedAnswers } from './compress.ts'
import { CustomDomains, customDomainPolicy } from './custom-domains.ts'
import { findProfileRedirect, sendRedirect } from './profile-redirects.ts'
import { firstFiles, fontLinks, openScreenFiles, screenLinks } from './screen-files.ts'
import { sendDocument, sendHtml } from './send-html.ts'
import type { Services } from './services.ts'
import { TokenBuckets } from './token-buckets.ts'
import { ScreenDocument } from './visitor-pages/screen-document.ts'
import { withoutApp, withVisitorPage } from './visitor-pages/visitor-document.ts'
import { type PageRequest, type VisitorPage, VisitorPages } from './visitor-pages/visitor-pages.ts'

/** Heads that are read for one client. Beyond them, it gets the document without what search engines and other sites read. */
const headsPerMinute = { uses: 300, windowSeconds: 60 }
/** As long as pages are kept. */
const plainMs = 4_000

const builtApp = fileURLToPath(new URL('../../web/dist', import.meta.url))

type Options = ApiOptions<Services> & {
  /** Everything that responds on this origin, for what pages for visitors read. Without it, the browser renders all screens. */
  readonly handle?: RequestListener
  readonly directory?: string
  /** What search engines and other sites read of a path (public-pages). Never rejects. */
  readonly readHead?: (request: FastifyRequest, path: string) => Promise<DocumentHead>
}

export type DocumentHead = {
  /** Replaces the document's title. */
  readonly html: string
  /** It couldn't be read. The reason may be one visitor's alone, so others don't get this one. */
  readonly hasFailed: boolean
}

/**
 * The built web app at `/`. Every screen's path returns the same document. Unknown paths do too, with
 * status 404, and the app shows its not-found screen (404-01).
 */
export const webApp: FastifyPluginAsync<Options> = async (
  app,
  { services, handle, directory = builtApp, readHead },
) => {
  mkdirSync(directory, { recursive: true }) // the first start is still building it
  const screenFiles = openScreenFiles(directory)
  const index = join(directory, 'index.html')
  const appConfig = () => ({ ...describeApp(services), supabaseUrl: services.siteUrl() })
  const pages = handle && new VisitorPages({ directory, handle, appConfig, log: services.log })
  const heads = new TokenBuckets(headsPerMinute)
  const plainDocuments = new LRUCache<string, ScreenDocument>({ max: 100, ttl: plainMs })
  const domains = services.hasProductSchema && services.config.customDomains ? new CustomDomains(services) : undefined
  app.addHook('onClose', () => pages?.close())
  // Not a route: one that matches every path would hide the APIs' own 404s.
  await app.register(compressedAnswers, { compressor: services.compressor, minBytes: 1000 })
  // The build stores compressed versions next to each file.
  await app.register(fastifyStatic, { root: directory, serve: false, cacheControl: false, preCompressed: true })
  app.get('/', async (request, reply) => {
    const username = await domains?.usernameAt(request.headers.host)
    return username ? sendAtDomain(request, reply, username) : sendScreen(request, reply)
  })
  if (domains) {
    // For proxies that get a certificate when a domain is first requested: `ask` of Caddy's on-demand TLS.
    app.get<{ Querystring: { domain?: string } }>('/custom-domains/check', async ({ query }, reply) => {
      const isKnown = typeof query.domain === 'string' && (await domains.usernameAt(query.domain)) !== null
      return isKnown ? reply.send({ domain: query.domain }) : reply.status(404).send({ message: 'No such domain' })
    })
  }
  // Browsers request it when a user opens an API response or an email's link directly.
  app.get('/favicon.ico', (_request, reply) =>
    existsSync(join(directory, 'icon-192.png')) ? sendFile(reply, '/icon-192.png') : reply.status(404).send(),
  )
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    if (isPage && isFile(path) && existsSync(join(directory, path))) return sendFile(reply, path)
    // A missing file, such as one of an older build, isn't a screen: a browser that waits for a script can't use a page.
    if (!isPage || path.startsWith('/assets/')) return reply.status(404).send({ message: `No such path: ${path}` })
    if (await domains?.usernameAt(request.headers.host)) return sendToSite(reply, request.url)
    return sendScreen(request, reply)
  })

  /** The app's document, with what a visitor sees first. */
  async function sendScreen(request: FastifyRequest, reply: FastifyReply) {
    const [path, shown] = [pathOf(request), renderedPath(request)]
    // The page asks first, and after it the document of an address that has none.
    let redirect: ReturnType<typeof findProfileRedirect> | undefined
    const findRedirect = () => {
      redirect ??= findProfileRedirect(services, path)
      return redirect
    }
    const compose = (page: VisitorPage) => composeWhole(request, path, (document) => withVisitorPage(document, page))
    const document = await readDocument(request, {
      url: path === shown ? request.url : shown,
      kind: path,
      isRedirected: async () => (await findRedirect()) !== undefined,
      compose,
    })
    if (document) {
      reply.header('Vary', 'Cookie, User-Agent, Sec-CH-UA-Mobile')
      return sendDocument(reply, document, services.compressor)
    }
    const client = clientKey(request.raw, services.trustsProxy)
    if (existsSync(index) && client !== undefined && heads.take(client) > 0) return sendPlain(reply, path)
    // Only now, because it reads the database: an address that redirects has no page (isRedirected).
    const found = await findRedirect()
    if (found) return sendRedirect(reply, found)
    return sendApp(request, findScreen(path) ? reply : reply.status(404))
  }

  /** A creator's page at their own domain (PAGE-02), for reading. Everything else is on the site's own origin. */
  async function sendAtDomain(request: FastifyRequest, reply: FastifyReply, username: string) {
    const path = paths.profile(username)
    const compose = (page: VisitorPage) =>
      composeWhole(request, path, (document) => withoutApp(withVisitorPage(document, page), services.siteUrl() + path))
    const document = await readDocument(request, {
      url: path,
      kind: 'domain',
      isRedirected: async () => false,
      compose,
    })
    if (!document) return sendToSite(reply, path)
    reply.headers({ Vary: 'User-Agent, Sec-CH-UA-Mobile', 'Content-Security-Policy': customDomainPolicy })
    return sendDocument(reply, document, services.compressor)
  }

  /** Not for ever: a creator may leave, and take the domain along. */
  const sendToSite = (reply: FastifyReply, url: string) =>
    reply.header('Cache-Control', 'no-cache').redirect(services.siteUrl() + url, 302)

  async function readDocument(
    { raw, headers }: FastifyRequest,
    page: Omit<PageRequest, 'isPhone' | 'address' | 'client'>,
  ) {
    if (!services.hasProductSchema || !existsSync(index)) return null
    if (/(?:^|;\s*)signed-in=1/.test(headers.cookie ?? '')) return null
    const isPhone = headers['sec-ch-ua-mobile'] === '?1' || /\bMobi/.test(headers['user-agent'] ?? '')
    const address = clientAddress(raw, services.trustsProxy)
    const client = clientKey(raw, services.trustsProxy)
    return pages?.read({ ...page, isPhone, address, client }) ?? null
  }

  /** The document without a head of its own: the same for all addresses of a screen, so it costs next to nothing. */
  async function sendPlain(reply: FastifyReply, path: string) {
    const screen = findScreen(path)
    const key = screen?.module ?? ''
    const document = plainDocuments.get(key) ?? new ScreenDocument(await composeApp(path, undefined))
    plainDocuments.set(key, document)
    return sendDocument(screen ? reply : reply.status(404), document, services.compressor)
  }

  /** The first start listens while the app is still being built. */
  async function sendApp(request: FastifyRequest, reply: FastifyReply) {
    if (existsSync(index)) {
      const path = pathOf(request)
      return sendHtml(reply, await composeApp(path, (await readHead?.(request, path))?.html))
    }
    return reply.status(503).header('Retry-After', '2').type('text/html; charset=utf-8').send(beingBuilt)
  }

  /** A document for many visitors. @returns undefined if its head couldn't be read. */
  async function composeWhole(request: FastifyRequest, path: string, finish: (document: string) => string) {
    const head = await readHead?.(request, path)
    if (head?.hasFailed) return undefined
    const document = await composeApp(path, head?.html)
    return new ScreenDocument(finish(document.replace('</head>', () => `${fontLinks(screenFiles())}</head>`)))
  }

  /** The one document, with the head of a path, and links to the files of its screen. */
  async function composeApp(path: string, head: string | undefined): Promise<string> {
    const files = screenFiles()
    const html = await readFile(index, 'utf8')
    // Functions, because a text may contain `$&`, which a replacement string would interpret.
    return html
      .replace('<head>', () => `<head>${firstFiles(files)}`)
      .replace(/<title>[^<]*<\/title>/, (title) => head ?? title)
      .replace('</head>', () => `${screenLinks(files, path)}</head>`)
  }
}

/** Home is for members: what a visitor sees there is the front page. */
const renderedPath = (request: FastifyRequest): string =>
  pathOf(request) === paths.home ? paths.auth : pathOf(request)

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '/'

/** Built files have plain ASCII names, at the top or one folder down; other paths never reach the disk. */
function isFile(path: string): boolean {
  return /^(\/[\w-]+)?\/[\w-][\w.-]*\.\w+$/.test(path)
}

function sendFile(reply: FastifyReply, path: string) {
  // Built files have their hash in their name; files without one are revalidated.
  const hashed = path.startsWith('/assets/')
  return reply.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache').sendFile(path)
}

const beingBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>One moment</title></head><body><p>The web app is being built. This page opens it as soon as it's there.</p></body></html>`
