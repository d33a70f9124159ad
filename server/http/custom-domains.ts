import { parseDomain } from '@ovation/contract/custom-domains'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import { sql } from '../postgres/sql.ts'
import { filesOrigins } from './helmet-options.ts'
import type { Services } from './services.ts'

/** A creator who removes the domain, is suspended, or leaves is gone from it within five seconds (FIND-05). */
const freshMs = 4_000
/** A client can make up any number of host names. */
const maxDomains = 1_000

/** Which creators' domains lead here (PAGE-02), by the `Host` header that a proxy passes on. */
export class CustomDomains {
  readonly #services: Services
  /** `null` for a domain that isn't a creator's. */
  readonly #usernames: LRUCache<string, { readonly username: string | null }>

  constructor(services: Services) {
    this.#services = services
    this.#usernames = new LRUCache({
      max: maxDomains,
      ttl: freshMs,
      fetchMethod: async (domain) => ({ username: await this.#read(domain) }),
    })
  }

  /** The username of the creator at this host; null for this site's own host and for all others. */
  async usernameAt(host: string | undefined): Promise<string | null> {
    if (host === undefined || host === this.#ownHost) return null
    const domain = parseDomain(host)
    if (domain === null || domain === parseDomain(this.#ownHost)) return null
    return (await this.#usernames.fetch(domain))?.username ?? null
  }

  get #ownHost() {
    return new URL(this.#services.siteUrl()).host
  }

  /** As the service: a domain is public, but a list of them is nobody's to read. */
  async #read(domain: string): Promise<string | null> {
    const [row] = await this.#services.database.service.rows<{ username: string | null }>(
      sql`select private.find_domain_username(${domain}) as username`,
    )
    return row?.username ?? null
  }
}

/** For proxies that get a certificate when a domain is first requested: `ask` of Caddy's on-demand TLS. */
export function addDomainCheck(app: FastifyInstance, domains: CustomDomains): void {
  app.get<{ Querystring: { domain?: string } }>('/custom-domains/check', async ({ query }, reply) => {
    const isKnown = typeof query.domain === 'string' && (await domains.usernameAt(query.domain)) !== null
    return isKnown ? reply.send({ domain: query.domain }) : reply.status(404).send({ message: 'No such domain' })
  })
}

/** The content policy of a page at a creator's domain: there is nothing to send or to request. */
export const customDomainPolicy = (config: Pick<Config, 'filesUrl'>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    ["img-src 'self' data:", ...filesOrigins(config)].join(' '),
    ["media-src 'self'", ...filesOrigins(config)].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';')
