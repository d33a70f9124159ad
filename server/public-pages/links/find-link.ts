import { paths } from '@ovation/contract/paths'
import { LRUCache } from 'lru-cache'
import type { ServiceDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'

export type Link = {
  readonly id: string
  readonly creatorId: string
  /** The path of this site that it leads to. */
  readonly path: string
  /** An archived link leads on, and counts nothing. */
  readonly isArchived: boolean
}

type Row = Omit<Link, 'path'> & {
  readonly address: string
  readonly target: string
  readonly postId: string | null
  readonly productId: string | null
}

/** A link that is archived, or whose creator is suspended, stops counting within five seconds. */
const freshMs = 4_000
/** Anyone can make up codes. */
const maxLinks = 1_000

/** Finds links by their code, each at most once in four seconds, however many visitors open it. */
export class LinkFinder {
  readonly #service: ServiceDb
  /** `link` is undefined for a code that leads nowhere. */
  readonly #links: LRUCache<string, { readonly link: Link | undefined }>

  constructor(service: ServiceDb) {
    this.#service = service
    this.#links = new LRUCache({
      max: maxLinks,
      ttl: freshMs,
      fetchMethod: async (code) => ({ link: await this.#read(code) }),
    })
  }

  async find(code: string): Promise<Link | undefined> {
    return (await this.#links.fetch(code))?.link
  }

  async #read(code: string): Promise<Link | undefined> {
    const [row] = await this.#service.rows<Row>(sql`
      select link_id as id, creator_id as "creatorId", address, target, post_id as "postId", product_id as "productId", is_archived as "isArchived"
      from private.find_link(${code})`)
    return row && { id: row.id, creatorId: row.creatorId, path: pathOf(row), isArchived: row.isArchived }
  }
}

/** What is gone, or not for sale, leads to the profile. */
function pathOf({ target, address, postId, productId }: Row): string {
  if (postId !== null) return paths.post(postId)
  if (productId !== null) return paths.product(productId)
  return target === 'plan' ? paths.plans(address) : paths.profile(address)
}
