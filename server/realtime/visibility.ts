import pg from 'pg'
import type { Caller } from '../postgres/caller.ts'
import { Client } from '../postgres/client.ts'
import type { Statement } from '../postgres/sql.ts'
import { identifier } from '../postgres/sql.ts'
import type { Relation } from './relation.ts'
import type { LoggedRow } from './row-filter.ts'

/** Whether and how this user sees this row. */
export type Question = { readonly row: LoggedRow; readonly caller: Caller }

/** Few connections, separate from those that serve requests: live updates work while the gateway is busy. */
const connections = 2
const timeoutMs = 8_000
/** Long enough for any reasonable pattern. */
const patternTimeoutMs = 500

/**
 * Queries rows as their receivers see them: through the table that clients know, so that masking and column permissions
 * apply as in rest/v1. One statement answers for many users (`realtime.seen_by`).
 */
export class Visibility {
  readonly #pool: pg.Pool
  readonly #prepared = new WeakMap<pg.PoolClient, Map<string, string>>()

  /** @param sessionUrl its connections keep a role, settings, and prepared statements. */
  constructor(sessionUrl: string) {
    this.#pool = new pg.Pool({
      Client,
      connectionString: sessionUrl,
      max: connections,
      application_name: 'ovation realtime',
      onConnect: async (client) => {
        // Rows are found by their key, so the first plan is as good as any.
        await client.query(`set role service_role`)
        await client.query(`set statement_timeout = ${timeoutMs}`)
        await client.query(`set plan_cache_mode = force_generic_plan`)
      },
    })
    this.#pool.on('error', () => undefined) // the next query opens a new connection, or reports the failure
  }

  /**
   * @param relation as the role of all these callers sees it.
   * @returns for each query the row as JSON, or null when they may not see it or it is gone.
   */
  async see(relation: Relation, questions: readonly Question[]): Promise<(string | null)[]> {
    const role = questions[0]?.caller.role
    if (role === undefined) return []
    return this.#with(async (client) => {
      const statement = await this.#prepare(client, relation, role)
      const keys = questions.map(({ row }) => JSON.stringify(relation.key.map((name) => row[name])))
      const claims = questions.map(({ caller }) => claimsOf(caller))
      const { rows } = await client.query<[string | null]>({
        name: 'seen_by',
        text: 'select * from realtime.seen_by($1, $2, $3, $4)',
        values: [statement, role, keys, claims],
        rowMode: 'array',
      })
      return rows.map(([seen]) => seen)
    })
  }

  /** Whether a text matches PostgreSQL's regular expression. @throws pg.DatabaseError when it is invalid or takes too long. */
  async matches(text: string, pattern: string, ignoresCase: boolean): Promise<boolean> {
    return this.#with(async (client) => {
      await client.query(`set statement_timeout = ${patternTimeoutMs}`)
      try {
        const { rows } = await client.query<{ matches: boolean }>(
          `select case when $3 then $1::text ~* $2::text else $1::text ~ $2::text end as matches`,
          [text, pattern, ignoresCase],
        )
        return rows[0]?.matches === true
      } finally {
        await client.query(`set statement_timeout = ${timeoutMs}`)
      }
    })
  }

  async rows<Row>({ text, values }: Statement): Promise<Row[]> {
    return (await this.#pool.query(text, [...values])).rows as Row[]
  }

  async stop() {
    await this.#pool.end()
  }

  async #with<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    let isBroken = false
    try {
      return await work(client)
    } catch (error) {
      isBroken = !(error instanceof pg.DatabaseError)
      throw error
    } finally {
      client.release(isBroken)
    }
  }

  /** Prepared as the role: its permissions apply to name lookup, and its policies to the plan. */
  async #prepare(client: pg.PoolClient, relation: Relation, role: string): Promise<string> {
    const prepared = this.#prepared.get(client) ?? new Map<string, string>()
    this.#prepared.set(client, prepared)
    const text = `select row_to_json(r)::text from (${selectByKey(relation)}) r`
    const shape = `${role}: ${text}`
    const known = prepared.get(shape)
    if (known) return known
    const name = `see_${prepared.size + 1}`
    await client.query('begin')
    try {
      await client.query(`select set_config('role', $1, true)`, [role])
      await client.query(`prepare ${name} (text) as ${text}`)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
    prepared.set(shape, name)
    return name
  }
}

/** The columns that the role may read, of the row with the key in `$1`, a JSON list. */
function selectByKey({ schema, table, columns, key, keyTypes }: Relation): string {
  const names = columns.map(({ name }) => identifier(name)).join(', ')
  const conditions = key.map((name, index) => `${identifier(name)} = ($1::json ->> ${index})::${keyTypes[index]}`)
  return `select ${names} from ${identifier(schema)}.${identifier(table)} where ${conditions.join(' and ')}`
}

const claimTexts = new WeakMap<Caller, string>()

function claimsOf(caller: Caller): string {
  const known = claimTexts.get(caller)
  if (known !== undefined) return known
  const text = JSON.stringify(caller.claims)
  claimTexts.set(caller, text)
  return text
}
