import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { findScreen } from '@ovation/contract/screens'
import type { FastifyBaseLogger } from 'fastify'
import { inject } from 'light-my-request'
import { LRUCache } from 'lru-cache'
import { Piscina } from 'piscina'
import { TokenBuckets } from '../../exchange/token-buckets.ts'
import { OpenCount } from '../open-count.ts'
import type { TableChanges } from '../services.ts'
import type { Answer, Order, Question } from './render-thread.ts'
import type { ScreenDocument } from './screen-document.ts'

/** What a visitor sees first of a screen, rendered by the web app's own components. */
export type VisitorPage = {
  /** The content of the app's root element. */
  readonly html: string
  /** What the app has read for it, as JSON. */
  readonly data: string
}

type Options = {
  /** The folder of the built web app. */
  readonly directory: string
  /** Everything that responds on this origin. */
  readonly handle: RequestListener
  /** The settings of app-config.json, with the site's origin as `supabaseUrl`. */
  readonly appConfig: () => object
  readonly log: FastifyBaseLogger
  readonly changes?: TableChanges
  /** How long a page stays, in milliseconds. */
  readonly freshMs?: number
  /** After that, the browser renders the screen itself, as it does without any of this. */
  readonly timeoutMs?: number
}

export type PageRequest = {
  readonly url: string
  readonly isPhone: boolean
  /** The visitor's address: what rendering reads counts as theirs. */
  readonly address: string
  /** The key of that address, if it identifies one client. */
  readonly client: string | undefined
  /** Distinguishes documents that have the same page in them: a part of the cache's key. */
  readonly kind: string
  /** Whether the address redirects visitors, so that there is no page to render. */
  readonly isRedirected: () => Promise<boolean>
  /** The document with the page in it. Undefined if a part of it couldn't be read, so that nobody else gets it. */
  readonly compose: (page: VisitorPage) => Promise<ScreenDocument | undefined>
}

/** Null for an address that redirects visitors. */
type Kept = { readonly document: ScreenDocument | null; readonly generation: number }

/** A creator who becomes private, is suspended, or leaves is gone from all pages within five seconds (FIND-05). */
const defaultFreshMs = 4_000
const defaultTimeoutMs = 3_000
/** Tables whose changes expire all pages at once. What isn't followed live, such as a plan, waits until a page is too old. */
const shown = new Set(['posts', 'products', 'profiles', 'comments', 'polls', 'poll_votes'])
/** However much changes, pages expire only at the start and at the end of such a time: on a busy site something always changes. */
const expiryMs = 1_000
const maxPages = 500
const maxBytes = 50_000_000
/** Pages at once: each waits for the database most of the time. */
const rendersAtOnce = 4
/** About half a second. A browser that waited longer would have rendered the screen itself by then. */
const rendersWaiting = 12
/** Of one client at once, so that others find the queue short. */
const rendersOfClient = 2
/** Of one client. Pages from the cache don't count; beyond this, its browser renders. */
const rendersPerMinute = 60
/** The parts of a query that a screen's first view depends on. All others, such as a social network's marks, give the same page. */
const meaningful = ['tab', 'category']
const longestValue = 40

/**
 * Renders screens for visitors, as documents that are readable without scripts (FIND-01). The same page is rendered once and then comes from
 * a cache, until something changes, or it is four seconds old.
 */
export class VisitorPages {
  readonly #options: Options
  readonly #threads: Piscina
  readonly #clients = new TokenBuckets({ uses: rendersPerMinute, windowSeconds: 60 })
  readonly #rendering = new OpenCount(rendersOfClient)
  readonly #pages: LRUCache<string, Kept>
  readonly #underWay = new Map<string, Promise<ScreenDocument | null | undefined>>()
  /** Pages of an earlier one are expired, also those that are being rendered. */
  #generation = 0
  #expiring: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
    options.changes?.follow((table) => shown.has(table) && this.#expire())
    this.#threads = new Piscina({
      filename: new URL('render-thread.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: rendersAtOnce,
      maxQueue: rendersWaiting,
      // It stays: the next visitor of a quiet site would wait a second for it to load the app again.
      idleTimeout: Number.POSITIVE_INFINITY,
      niceIncrement: 5, // requests come first
      recordTiming: false,
    })
    this.#pages = new LRUCache({
      max: maxPages,
      maxSize: maxBytes,
      ttl: options.freshMs ?? defaultFreshMs,
      // With its compressed forms.
      sizeCalculation: ({ document }) => (document ? Math.ceil(1.5 * document.html.length) : 1),
    })
  }

  /** The document with the page at this address; null if it has none, or if it can't be rendered now. Then the browser renders it. */
  async read(request: PageRequest): Promise<ScreenDocument | null> {
    const address = pageAddress(request.url)
    if (address === null) return null
    const key = `${request.kind} ${request.isPhone ? 'phone' : 'wide'} ${address}`
    const kept = this.#pages.get(key)
    if (kept?.generation === this.#generation) return kept.document
    const document = await this.#renew(key, request)
    // While too many are to be rendered, an expired page is better than none.
    return (document === undefined ? kept?.document : document) ?? null
  }

  close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#expiring)
    return this.#threads.destroy()
  }

  /**
   * Expires all pages, and once more a second later: for what changes until then, and for pages that were rendered in the moment in which
   * the change was in the log and other transactions didn't see it yet.
   */
  #expire() {
    if (this.#expiring) return
    this.#generation += 1
    this.#expiring = setTimeout(() => {
      this.#generation += 1
      this.#expiring = undefined
    }, expiryMs).unref()
  }

  /** Makes the page once for all who wait for it. A failure isn't kept: it may be one visitor's alone, whose requests are limited. */
  #renew(key: string, request: PageRequest): Promise<ScreenDocument | null | undefined> {
    const generation = this.#generation
    const name = `${generation} ${key}`
    const made =
      this.#underWay.get(name) ??
      this.#composeInTurn(key, request)
        .then((document) => {
          const isOutdated = (this.#pages.peek(key)?.generation ?? 0) > generation
          if (document !== undefined && !isOutdated) this.#pages.set(key, { document, generation })
          return document
        })
        .finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, made)
    return made
  }

  async #composeInTurn(key: string, request: PageRequest): Promise<ScreenDocument | null | undefined> {
    const { client, compose, isRedirected } = request
    if (client !== undefined && !this.#rendering.enter(client)) return undefined
    try {
      if (client !== undefined && this.#clients.take(client) > 0) return undefined
      if (await isRedirected()) return null
      const page = await this.#render(key, request)
      return page && (await compose(page))
    } finally {
      if (client !== undefined) this.#rendering.leave(client)
    }
  }

  async #render(key: string, { url, isPhone, address }: PageRequest): Promise<VisitorPage | null | undefined> {
    const { directory, appConfig, log, timeoutMs = defaultTimeoutMs } = this.#options
    const build = join(directory, '.server', 'server-page.js')
    if (!existsSync(build)) return undefined
    const { port1: ours, port2: port } = new MessageChannel()
    ours.on('message', (question: Question) => void this.#answer(question, address, ours))
    const page = { address: pageAddress(url), isPhone, config: appConfig() }
    const order: Order = { build: pathToFileURL(build).href, page, port }
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      return (await this.#threads.run(order, { transferList: [port], signal })) as VisitorPage | null
    } catch (err) {
      if (!this.#isClosed) log.warn({ err, page: key }, 'a page could not be rendered for visitors')
      return undefined
    } finally {
      ours.close()
    }
  }

  /** Answers what a page reads, in process and as its visitor, by the same way as any request. */
  async #answer({ id, method, url, headers, body }: Question, address: string, port: MessagePort): Promise<void> {
    const { pathname, search } = new URL(url)
    const response = await inject(this.#options.handle, {
      method: method as 'GET',
      url: pathname + search,
      headers: { ...headers, host: new URL(url).host },
      remoteAddress: address,
      ...(body !== undefined && { payload: body }),
    })
    const type = response.headers['content-type']
    const answer: Answer = {
      id,
      status: response.statusCode,
      headers: type === undefined ? {} : { 'content-type': String(type) },
      body: response.payload,
    }
    port.postMessage(answer)
  }
}

/** The path of a screen for visitors, with the parts of its query that matter; null for any other. */
function pageAddress(url: string): string | null {
  const { pathname, searchParams } = new URL(url, 'http://site')
  if (!findScreen(pathname)?.isPublic) return null
  const kept = meaningful.flatMap((name) => {
    const value = searchParams.get(name)
    return value !== null && value.length <= longestValue ? [[name, value] as [string, string]] : []
  })
  const query = new URLSearchParams(kept).toString()
  return query === '' ? pathname : `${pathname}?${query}`
}
