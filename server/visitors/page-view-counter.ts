import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import { VisitorHash } from './visitor-hash.ts'

/** What is counted: a creator's profile or plans, or a product. */
export const countedPages = ['profile', 'plans', 'product'] as const

export type PageView = {
  readonly page: (typeof countedPages)[number]
  /** profiles.id of the creator, or products.id. */
  readonly id: string
}

/** Someone signed in, by auth.users.id, or a visitor. */
export type Viewer = { readonly userId: string } | { readonly address: string; readonly agent: string }

/** Counts who sees a creator's pages, each once a day (STATX-02). Of account, address, and browser, only a hash leaves this class. */
export class PageViewCounter {
  readonly #service: ServiceDb
  readonly #hash: VisitorHash

  constructor(service: ServiceDb) {
    this.#service = service
    this.#hash = new VisitorHash(service)
  }

  /** One insert, which waits for nobody. `private.roll_up_funnel` counts it. A creator's own views, and pages that don't exist, don't count. */
  async count({ page, id }: PageView, viewer: Viewer): Promise<void> {
    const userId = 'userId' in viewer ? viewer.userId : null
    const who = 'userId' in viewer ? [viewer.userId] : [viewer.address, viewer.agent]
    const hash = await this.#hash.of([page, id, ...who])
    await this.#service.rows(sql`
      select private.count_page_view(${page}, ${id}, ${userId}, decode(${hash}, 'hex'))`)
  }
}
