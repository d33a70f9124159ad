import type { RequestListener } from 'node:http'
import { paths } from '@ovation/contract/paths'
import { findScreen } from '@ovation/contract/screens'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { TokenBuckets } from '../../exchange/token-buckets.ts'
import { describeApp } from '../app-config.ts'
import { AppDocument, type DocumentHead } from '../app-document.ts'
import { clientAddress, clientKey } from '../client-address.ts'
import { customDomainPolicy } from '../custom-domains.ts'
import { findProfileRedirect, sendRedirect } from '../profile-redirects.ts'
import { sendDocument, sendHtml } from '../send-html.ts'
import type { Services } from '../services.ts'
import { ScreenDocument } from './screen-document.ts'
import { withoutApp, withVisitorPage } from './visitor-document.ts'
import { type PageRequest, type VisitorPage, VisitorPages } from './visitor-pages.ts'

/** Heads that are read for one client. Beyond them, it gets the document without what search engines and other sites read. */
const headsPerMinute = { uses: 300, windowSeconds: 60 }
/** As long as pages are kept. */
const plainMs = 4_000

type Options = {
  readonly services: Services
  /** The folder of the built web app. */
  readonly directory: string
  /** Everything that responds on this origin, for what pages for visitors read. Without it, the browser renders all screens. */
  readonly handle?: RequestListener | undefined
  /** What search engines and other sites read of a path (public-pages). Never rejects. */
  readonly readHead?: ((request: FastifyRequest, path: string) => Promise<DocumentHead>) | undefined
}

/**
 * Decides which document a request for a screen gets: one with a rendered page, for visitors; the app's own with a head, or without one;
 * or a redirect.
 */
export class DocumentChooser {
  readonly #services: Services
  readonly #readHead: Options['readHead']
  readonly #app: AppDocument
  readonly #pages: VisitorPages | undefined
  readonly #heads = new TokenBuckets(headsPerMinute)
  readonly #plainDocuments = new LRUCache<string, ScreenDocument>({ max: 100, ttl: plainMs })

  constructor({ services, directory, handle, readHead }: Options) {
    this.#services = services
    this.#readHead = readHead
    this.#app = new AppDocument(directory)
    const appConfig = () => ({ ...describeApp(services), supabaseUrl: services.siteUrl() })
    const { log, realtime: changes } = services
    this.#pages = handle && new VisitorPages({ directory, handle, appConfig, log, changes })
  }

  async close(): Promise<void> {
    await this.#pages?.close()
  }

  /** The app's document, with what a visitor sees first. */
  async sendScreen(request: FastifyRequest, reply: FastifyReply) {
    const services = this.#services
    const [path, shown] = [pathOf(request), renderedPath(request)]
    // The page asks first, and after it the document of an address that has none.
    let redirect: ReturnType<typeof findProfileRedirect> | undefined
    const findRedirect = () => {
      redirect ??= findProfileRedirect(services, path)
      return redirect
    }
    const compose = (page: VisitorPage) =>
      this.#composeWhole(request, path, (document) => withVisitorPage(document, page))
    const document = await this.#readDocument(request, {
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
    if (this.#app.isBuilt && client !== undefined && this.#heads.take(client) > 0) return this.#sendPlain(reply, path)
    // Only now, because it reads the database: an address that redirects has no page (isRedirected).
    const found = await findRedirect()
    if (found) return sendRedirect(reply, found)
    return this.#sendApp(request, findScreen(path) ? reply : reply.status(404))
  }

  /** A creator's page at their own domain (PAGE-02), for reading. Everything else is on the site's own origin. */
  async sendAtDomain(request: FastifyRequest, reply: FastifyReply, username: string) {
    const path = paths.profile(username)
    const profile = this.#services.siteUrl() + path
    const compose = (page: VisitorPage) =>
      this.#composeWhole(request, path, (document) => withoutApp(withVisitorPage(document, page), profile))
    const document = await this.#readDocument(request, {
      url: path,
      kind: 'domain',
      isRedirected: async () => false,
      compose,
    })
    if (!document) return this.sendToSite(reply, path)
    reply.headers({
      Vary: 'User-Agent, Sec-CH-UA-Mobile',
      'Content-Security-Policy': customDomainPolicy(this.#services.config),
    })
    return sendDocument(reply, document, this.#services.compressor)
  }

  /** Not for ever: a creator may leave, and take the domain along. */
  sendToSite(reply: FastifyReply, url: string) {
    return reply.header('Cache-Control', 'no-cache').redirect(this.#services.siteUrl() + url, 302)
  }

  /** The document with a page for a visitor. A browser that has a session gets none, because its user sees other content. */
  async #readDocument({ raw, headers }: FastifyRequest, page: Omit<PageRequest, 'isPhone' | 'address' | 'client'>) {
    const { hasProductSchema, trustsProxy } = this.#services
    if (!hasProductSchema || !this.#app.isBuilt) return null
    if (/(?:^|;\s*)signed-in=1/.test(headers.cookie ?? '')) return null
    const isPhone = headers['sec-ch-ua-mobile'] === '?1' || /\bMobi/.test(headers['user-agent'] ?? '')
    const address = clientAddress(raw, trustsProxy)
    const client = clientKey(raw, trustsProxy)
    return this.#pages?.read({ ...page, isPhone, address, client }) ?? null
  }

  /** The document without a head of its own: the same for all addresses of a screen, so it costs next to nothing. */
  async #sendPlain(reply: FastifyReply, path: string) {
    const screen = findScreen(path)
    const key = screen?.module ?? ''
    const document = this.#plainDocuments.get(key) ?? new ScreenDocument(await this.#app.compose(path, undefined))
    this.#plainDocuments.set(key, document)
    return sendDocument(screen ? reply : reply.status(404), document, this.#services.compressor)
  }

  async #sendApp(request: FastifyRequest, reply: FastifyReply) {
    if (this.#app.isBuilt) {
      const path = pathOf(request)
      return sendHtml(reply, await this.#app.compose(path, (await this.#readHead?.(request, path))?.html))
    }
    return reply.status(503).header('Retry-After', '2').type('text/html; charset=utf-8').send(beingBuilt)
  }

  /** A document for many visitors. @returns undefined if its head couldn't be read. */
  async #composeWhole(request: FastifyRequest, path: string, finish: (document: string) => string) {
    const head = await this.#readHead?.(request, path)
    if (head?.hasFailed) return undefined
    return new ScreenDocument(finish(await this.#app.composeForPage(path, head?.html)))
  }
}

/** Home is for members: what a visitor sees there is the front page. */
const renderedPath = (request: FastifyRequest): string =>
  pathOf(request) === paths.home ? paths.auth : pathOf(request)

export const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '/'

const beingBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>One moment</title></head><body><p>The web app is being built. This page opens it as soon as it's there.</p></body></html>`
