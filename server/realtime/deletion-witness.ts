import pg from 'pg'
import type { Caller } from '../postgres/caller.ts'
import { identifier } from '../postgres/sql.ts'
import type { Change } from './change-reader.ts'
import { asJson } from './change-view.ts'
import type { Relation } from './relations.ts'

type Asked = { readonly caller: Caller; readonly relation: Relation }

/**
 * Tells who could see a row that is gone (`realtime.who_saw`). It runs as the owner, because the row is put back for the moment of
 * the question; the answers are each receiver's own.
 */
export class DeletionWitness {
  readonly #pool: pg.Pool

  constructor(ownerUrl: string) {
    this.#pool = new pg.Pool({ connectionString: ownerUrl, max: 1, application_name: 'ovation realtime' })
    this.#pool.on('error', () => undefined) // the next question opens a new connection, or reports the failure
  }

  /** Of those asked about, the ones who saw it. All of them follow the same table. */
  async whoSaw<Follower extends Asked>(change: Change, followers: readonly Follower[]): Promise<readonly Follower[]> {
    const relation = followers[0]?.relation
    if (!relation) return []
    const { rows } = await this.#pool.query<{ saw: boolean[] }>(
      'select realtime.who_saw($1::regclass, $2::regclass, $3, $4, $5) as saw',
      [
        `${identifier(change.schema)}.${identifier(change.table)}`,
        `${identifier(relation.schema)}.${identifier(relation.table)}`,
        relation.key,
        JSON.stringify(asJson(change.row, relation.allColumns)),
        JSON.stringify(followers.map(({ caller }) => ({ role: caller.role, claims: JSON.stringify(caller.claims) }))),
      ],
    )
    return followers.filter((_follower, index) => rows[0]?.saw[index] === true)
  }

  async stop() {
    await this.#pool.end()
  }
}
