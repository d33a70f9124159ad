import { createHash } from 'node:crypto'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/**
 * Hashes of visitors, so that each counts once a day (LINK-02, STATX-02). The salt is a secret of the day: when that is over, it is deleted, and
 * nobody can try addresses until one fits.
 */
export class VisitorHash {
  readonly #service: ServiceDb
  #salt: { readonly day: string; readonly value: Promise<Buffer> } | undefined

  constructor(service: ServiceDb) {
    this.#service = service
  }

  /** @param about whom it is of, and what was opened: nobody can follow a visitor from one to another. @returns hexadecimal digits. */
  async of(about: readonly string[], now = new Date()): Promise<string> {
    return createHash('sha256')
      .update(await this.#saltOf(now.toISOString().slice(0, 10)))
      .update(JSON.stringify(about))
      .digest('hex')
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
