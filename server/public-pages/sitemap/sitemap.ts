import { paths } from '@ovation/contract/paths'
import { screens } from '@ovation/contract/screens'
import { LRUCache } from 'lru-cache'
import { escapeHtml } from '../../escape-html.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { addressOn, type Site } from '../site.ts'
import { Parts } from './parts.ts'
import { type Kind, listPages } from './queries.ts'

const pathsOf: Readonly<Record<Kind, (name: string) => string>> = {
  profiles: paths.profile,
  posts: paths.post,
  products: paths.product,
}
const kinds = Object.keys(pathsOf) as readonly Kind[]
/** The one part that isn't in the database. */
const screensPart = 'screens-1'
/** A creator who goes private is gone from the sitemap within five seconds: this, and the time of a query. */
const cachedMs = 4_000
/** The length of all cached documents together. */
const mostCached = 32_000_000

type Options = {
  /** As a visitor. */
  readonly db: CallerDb
  readonly site: () => Site
  /** Pages in a file. */
  readonly partSize?: number
  /** In milliseconds. */
  readonly clock?: { now(): number }
}

/**
 * The sitemap (sitemaps.org): an index, and its parts. Whatever is requested, one document is written at a time, and each at most once
 * every few seconds, so no number of requests takes more than one connection. Only documents that exist are cached.
 */
export class Sitemap {
  readonly #db: CallerDb
  readonly #site: () => Site
  readonly #parts: Readonly<Record<Kind, Parts>>
  readonly #documents: LRUCache<string, string>
  #last: Promise<unknown> = Promise.resolve()

  constructor({ db, site, partSize = 10_000, clock = performance }: Options) {
    this.#db = db
    this.#site = site
    this.#parts = {
      profiles: new Parts(db, 'profiles', partSize, clock),
      posts: new Parts(db, 'posts', partSize, clock),
      products: new Parts(db, 'products', partSize, clock),
    }
    this.#documents = new LRUCache<string, string>({
      ttl: cachedMs,
      maxSize: mostCached,
      sizeCalculation: ({ length }) => length,
      perf: clock,
      ignoreFetchAbort: true, // those who wait for a document get it, even if it has no place in the cache any more
      fetchMethod: (name) => this.#inTurn(() => this.#write(name)),
    })
  }

  /** @param name `index`, or that of a part, such as `posts-1`. Undefined if there is no such part. */
  async read(name: string): Promise<string | undefined> {
    const exists = name === 'index' || name === screensPart || (await this.#findPart(name)) !== undefined
    return exists ? this.#documents.fetch(name) : undefined
  }

  async #write(name: string): Promise<string | undefined> {
    const site = this.#site()
    if (name === 'index') return writeIndex(site, [screensPart, ...(await this.#listParts())])
    if (name === screensPart) return writePages(site, listScreens())
    const part = await this.#findPart(name)
    if (!part) return undefined
    const pages = await listPages(this.#db, part.kind, part.from, part.to)
    const path = pathsOf[part.kind]
    return writePages(
      site,
      pages.map((page) => ({ path: path(page.name), day: page.day })),
    )
  }

  async #findPart(name: string) {
    const [, asked, number] = /^([a-z]+)-([1-9]\d{0,5})$/.exec(name) ?? []
    const kind = kinds.find((one) => one === asked)
    const range = kind && (await this.#parts[kind].find(Number(number)))
    return range && { kind, ...range }
  }

  async #listParts(): Promise<string[]> {
    const names: string[] = []
    for (const kind of kinds) {
      const count = await this.#parts[kind].count()
      for (let number = 1; number <= count; number++) names.push(`${kind}-${number}`)
    }
    return names
  }

  #inTurn<Result>(write: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(write)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}

/** Those that are the same for every visitor. */
const listScreens = (): Page[] =>
  screens
    .filter(({ isPublic, pattern, canonical }) => isPublic && !pattern.includes(':') && canonical === undefined)
    .map(({ pattern }) => ({ path: pattern }))

type Page = { readonly path: string; readonly day?: string }

const writeIndex = (site: Site, parts: readonly string[]): string =>
  writeDocument(
    'sitemapindex',
    parts.map((name) => `<sitemap><loc>${locationOf(site, `/sitemaps/${name}.xml`)}</loc></sitemap>`),
  )

const writePages = (site: Site, pages: readonly Page[]): string =>
  writeDocument(
    'urlset',
    pages.map(({ path, day }) => {
      const lastChange = day === undefined ? '' : `<lastmod>${day}</lastmod>`
      return `<url><loc>${locationOf(site, path)}</loc>${lastChange}</url>`
    }),
  )

const locationOf = (site: Site, path: string): string => escapeHtml(addressOn(site, path))

const writeDocument = (root: string, entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`
