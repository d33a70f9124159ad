import pg from 'pg'
import type { Caller, RequestSettings } from '../postgres/caller.ts'
import type { Database, RunBounds } from '../postgres/database.ts'
import type { Statement } from '../postgres/sql.ts'
import type { Compiled } from './compile/statement.ts'
import { fromDatabaseError } from './database-errors.ts'
import type { RequestPlan } from './resolve/plan.ts'

/** The single row of every compiled statement. */
export type ResultRow = {
  /** The body from PostgreSQL; null where none is requested. */
  readonly body: string | null
  /** Number of rows in the answer, as text: `count(*)` is a bigint. */
  readonly rows: string
  readonly total: string | null
  readonly headers: string | null
  readonly status: string | null
  readonly inserted?: string | null
  /** A JSON list of the new row's key, in the order of the primary key. */
  readonly location?: string | null
}

export type Run = { readonly caller: Caller; readonly settings: RequestSettings; readonly bounds: RunBounds }

/** Carries a result out of a transaction that must be rolled back. */
class RolledBack extends Error {
  readonly rows: Record<string, unknown>[]
  constructor(rows: Record<string, unknown>[]) {
    super('rolled back on request')
    this.rows = rows
  }
}

/** One statement, one round trip. @throws GatewayError with PostgREST's codes. */
export async function runRequest(
  database: Database,
  plan: RequestPlan,
  compiled: Compiled,
  values: readonly (string | null)[],
  { caller, settings, bounds }: Run,
): Promise<Record<string, unknown>[]> {
  const statement = bind(compiled, values)
  try {
    if (plan.preferences.transaction !== 'rollback')
      return (await database.run(caller, statement, settings, bounds)).rows
    return await database.transaction(
      caller,
      async (db) => {
        throw new RolledBack(await db.rows(statement))
      },
      settings,
      bounds,
    )
  } catch (error) {
    if (error instanceof RolledBack) return error.rows
    throw translate(error, caller)
  }
}

/** PostgreSQL's estimate of the number of rows without the range. */
export async function estimateRows(
  database: Database,
  estimate: NonNullable<Compiled['estimate']>,
  values: readonly (string | null)[],
  { caller, settings, bounds }: Run,
): Promise<number> {
  try {
    const { rows } = await database.run(caller, bind(estimate, values), settings, bounds)
    const [explained] = rows as { 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[]
    return explained?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
  } catch (error) {
    throw translate(error, caller)
  }
}

function bind(
  { text, parameters }: Pick<Compiled, 'text' | 'parameters'>,
  values: readonly (string | null)[],
): Statement {
  return { text, values: parameters.map((reference) => values[reference]) }
}

function translate(error: unknown, caller: Caller): unknown {
  return error instanceof pg.DatabaseError ? fromDatabaseError(error, caller.role === 'anon') : error
}
