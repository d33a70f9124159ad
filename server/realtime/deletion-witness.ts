import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Caller } from '../postgres/caller.ts'
import { Client } from '../postgres/client.ts'
import { identifier } from '../postgres/sql.ts'
import type { Change } from './change.ts'
import { asJson } from './change-view.ts'
import type { Relation } from './relation.ts'

type Asked = { readonly caller: Caller }

/**
 * Determines who could see a row that is gone (`realtime.who_saw`). It runs as the owner, because it puts the row back for the moment of
 * the query; row-level security still applies to each receiver.
 */
export class DeletionWitness {
  readonly #pool: pg.Pool
  readonly #log: FastifyBaseLogger

  constructor(ownerUrl: string, log: FastifyBaseLogger) {
    this.#log = log
    this.#pool = new pg.Pool({ Client, connectionString: ownerUrl, max: 1, application_name: 'ovation realtime' })
    this.#pool.on('error', () => undefined) // the next query opens a new connection, or reports the failure
  }

  /**
   * Returns for each follower whether they could see the row. `relation` is the table as their role sees it. Where the owner may not put a row back
   * (an operator's database without superuser), nobody is notified: a list that updates late is better than a leak.
   */
  async whoSaw(change: Change, relation: Relation, followers: readonly Asked[]): Promise<readonly boolean[]> {
    const nobody = followers.map(() => false)
    // Without `replica identity full` the log has only the key, which isn't enough to put a row back.
    if (relation.allColumns.some(({ name }) => change.row[name] === undefined)) return nobody
    try {
      const { rows } = await this.#ask(change, relation, followers)
      return rows[0]?.saw ?? nobody
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error
      this.#log.warn({ err: error, table: change.table }, 'realtime: deletion not broadcast')
      return nobody
    }
  }

  #ask(change: Change, relation: Relation, followers: readonly Asked[]) {
    return this.#pool.query<{ saw: boolean[] }>(
      'select realtime.who_saw($1::regclass, $2::regclass, $3, $4, $5) as saw',
      [
        `${identifier(change.schema)}.${identifier(change.table)}`,
        `${identifier(relation.schema)}.${identifier(relation.table)}`,
        relation.key,
        JSON.stringify(asJson(change.row, relation.allColumns)),
        JSON.stringify(followers.map(({ caller }) => ({ role: caller.role, claims: JSON.stringify(caller.claims) }))),
      ],
    )
  }

  async stop() {
    await this.#pool.end()
  }
}
