import { createHash } from 'node:crypto'
import type { ServiceDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'

/**
 * Counts who opens a link, once a day (LINK-02). Of address and browser, only a hash leaves this class. Its salt is a secret of the day: when
 * that is over, the salt is deleted, and nobody can try addresses until one fits. The link is part of what is hashed, so that nobody can follow
 * a visitor from one link to another.
 */
export class VisitCounter {
  readonly #service: ServiceDb
  #salt: { readonly day: string; readonly value: Promise<Buffer> } | undefined

  constructor(service: ServiceDb) {
    this.#service = service
  }

  /** One insert, which waits for nobody. `private.roll_up_links` counts it. */
  async count(
    linkId: string,
    visitor: { readonly address: string; readonly agent: string },
    now = new Date(),
  ): Promise<void> {
    const day = now.toISOString().slice(0, 10)
    const hash = createHash('sha256')
      .update(await this.#saltOf(day))
      .update(JSON.stringify([linkId, visitor.address, visitor.agent]))
      .digest('hex')
    await this.#service.rows(sql`
      insert into private.link_visits (link_id, day, visitor) values (${linkId}, ${day}, decode(${hash}, 'hex'))`)
  }

  #saltOf(day: string): Promise<Buffer> {
    if (this.#salt?.day !== day) {
      const value = this.#readSalt(day)
      this.#salt = { day, value }
      // The next visit asks again.
      value.catch(() => {
        this.#salt = undefined
      })
    }
    return this.#salt.value
  }

  async #readSalt(day: string): Promise<Buffer> {
    const [row] = await this.#service.rows<{ salt: string }>(
      sql`select encode(private.link_salt(${day}), 'hex') as salt`,
    )
    if (!row) throw new Error('the database returned no salt')
    return Buffer.from(row.salt, 'hex')
  }
}
