import { sql } from '../postgres/sql.ts'
import type { Payments } from './payments.ts'

/** One entry of a person's account, as private.read_statement gives it. */
export type StatementLine = {
  readonly seq: string
  readonly account: string
  /** UTC with microseconds, as it entered the hash. */
  readonly occurred_at: string
  readonly type: string
  /** The provider's id of what moved the money. */
  readonly cause: string
  readonly currency: string
  /** Negative is a credit: what a creator earns. */
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

export function readStatement({ database }: Pick<Payments, 'database'>, profileId: string): Promise<StatementLine[]> {
  return database.service.rows<StatementLine>(sql`
    select seq::text, account, occurred_at, type, cause, currency, amount_cents::text, balance_cents::text, previous_hash, hash
    from private.read_statement(${profileId})`)
}

/** Ids, numbers, times and names of types: none of them holds a comma or a quote. */
export function statementCsv(lines: readonly StatementLine[]): string {
  return `${[columns, ...lines.map((line) => columns.map((column) => line[column]))].map((row) => row.join(',')).join('\r\n')}\r\n`
}
