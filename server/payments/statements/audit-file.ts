import { serviceRole } from '../../postgres/caller.ts'
import type { Database } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'

/** One entry of a user's account, as private.statement_lines returns it. */
export type StatementLine = {
  readonly seq: string
  readonly account: string
  /** UTC with microseconds, as used in the hash. */
  readonly occurred_at: string
  readonly type: string
  /** The provider's id for the cause of the entry. */
  readonly cause: string
  readonly currency: string
  /** Negative is a credit: a creator's earnings. */
  readonly amount_cents: string
  readonly balance_cents: string
  readonly previous_hash: string
  readonly hash: string
}

const columns = [
  'seq',
  'account',
  'occurred_at',
  'type',
  'cause',
  'currency',
  'amount_cents',
  'balance_cents',
  'previous_hash',
  'hash',
] as const satisfies readonly (keyof StatementLine)[]

/** Streams the whole statement as CSV, some lines at a time: a creator may have millions. */
export async function* readStatement(database: Database, profileId: string): AsyncGenerator<string> {
  // Runs as the service: a user's books have no policy, and a signed link has already settled who may read them.
  const reading = await database.read(serviceRole)
  try {
    await reading.rows(sql`
      declare statement no scroll cursor for
      select seq::text, account, occurred_at, type, cause, currency, amount_cents::text, balance_cents::text, previous_hash, hash
      from private.statement_lines l
      where l.account_id = (select a.id from private.ledger_accounts a where a.code = ${`creator:${profileId}`})
      order by l.seq`)
    yield csv([columns])
    for await (const lines of reading.pages<StatementLine>('statement'))
      yield csv(lines.map((line) => columns.map((column) => line[column])))
  } finally {
    await reading.close()
  }
}

/** Ids, numbers, times, and type names: none of them contains a comma or a quote. */
const csv = (rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.join(',')}\r\n`).join('')
