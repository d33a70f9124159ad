import type { ServiceDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { VisitorHash } from '../../visitors/visitor-hash.ts'

/** Counts who opens a link, once a day (LINK-02). Of address and browser, only a hash leaves this class. */
export class VisitCounter {
  readonly #service: ServiceDb
  readonly #hash: VisitorHash

  constructor(service: ServiceDb) {
    this.#service = service
    this.#hash = new VisitorHash(service)
  }

  /** One insert, which waits for nobody. `private.roll_up_links` counts it. */
  async count(
    linkId: string,
    visitor: { readonly address: string; readonly agent: string },
    now = new Date(),
  ): Promise<void> {
    const hash = await this.#hash.of([linkId, visitor.address, visitor.agent], now)
    await this.#service.rows(sql`
      insert into private.link_visits (link_id, day, visitor)
      values (${linkId}, ${now.toISOString().slice(0, 10)}, decode(${hash}, 'hex'))`)
  }
}
