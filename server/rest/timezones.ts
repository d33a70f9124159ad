import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** PostgreSQL's time zones, read on first use: listing them reads hundreds of files. */
export class Timezones {
  // The list is the same for every role; the service's connection is simply available.
  readonly #db: ServiceDb
  #names: Promise<ReadonlySet<string>> | undefined

  constructor(db: ServiceDb) {
    this.#db = db
  }

  async get(): Promise<ReadonlySet<string>> {
    this.#names ??= this.#db
      .rows<{ name: string }>(sql`select name from pg_timezone_names`)
      .then((rows) => new Set(rows.map(({ name }) => name)))
    try {
      return await this.#names
    } catch (error) {
      this.#names = undefined // the next request tries again
      throw error
    }
  }
}
