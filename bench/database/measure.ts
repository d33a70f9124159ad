import type pg from 'pg'
import { median } from '../quantile.ts'
import type { Case } from './cases.ts'
import type { Person } from './people.ts'

export type Measured = {
  /** Pages of 8 kB that were looked at, the most of all runs. */
  readonly buffers: number
  /** Milliseconds, the median of all runs. */
  readonly ms: number
  readonly rows: number
  /** Tables that grow and were read from end to end. */
  readonly scans: readonly string[]
}

type Plan = {
  readonly Plan: {
    readonly 'Shared Hit Blocks': number
    readonly 'Shared Read Blocks': number
    readonly 'Actual Rows': number
  }
  readonly 'Execution Time': number
}

/** They hold a few rows whatever the size of the product: a scan is the quickest way to read one. */
const smallTables = ['settings', 'user_roles', 'buckets']
// A plan inside a function is remade for its first five calls and then may be kept: both kinds are seen.
const warmUps = 2
const runs = 9

/** The mean over the case's people, and the scans of all of them. */
export async function measure(client: pg.Client, { callers, sql, values }: Case): Promise<Measured> {
  const all: Measured[] = []
  for (const caller of callers) all.push(await measureAs(client, caller, sql, values))
  const mean = (figure: (one: Measured) => number) => all.reduce((sum, one) => sum + figure(one), 0) / all.length
  return {
    buffers: Math.round(mean((one) => one.buffers)),
    ms: mean((one) => one.ms),
    rows: Math.round(mean((one) => one.rows)),
    scans: [...new Set(all.flatMap((one) => one.scans))],
  }
}

/** Runs the statement as the person, as the gateway does: role and claims set, everything within one transaction. */
async function measureAs(
  client: pg.Client,
  caller: Person,
  sql: string,
  values: readonly unknown[],
): Promise<Measured> {
  await client.query('begin')
  try {
    await client.query(`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ role: 'authenticated', sub: caller.userId }),
    ])
    for (let run = 0; run < warmUps; run++) await client.query(sql, [...values])
    const before = await readScans(client)
    const plans: Plan[] = []
    for (let run = 0; run < runs; run++) {
      const { rows } = await client.query<{ 'QUERY PLAN': Plan[] }>(`explain (analyze, buffers, format json) ${sql}`, [
        ...values,
      ])
      plans.push(...(rows[0]?.['QUERY PLAN'] ?? []))
    }
    const after = await readScans(client)
    return {
      buffers: Math.max(...plans.map(({ Plan: top }) => top['Shared Hit Blocks'] + top['Shared Read Blocks'])),
      ms: median(plans.map((plan) => plan['Execution Time'])),
      rows: plans[0]?.Plan['Actual Rows'] ?? 0,
      scans: [...after].filter(([table, count]) => count > (before.get(table) ?? 0)).map(([table]) => table),
    }
  } finally {
    await client.query('rollback')
  }
}

/**
 * Sequential scans of this transaction by table. Unlike a plan, it knows of those inside functions. Without those of tables that have no
 * page: the partitions of coming months.
 */
async function readScans(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ table: string; count: string }>(
    `select schemaname || '.' || relname as table, seq_scan as count from pg_stat_xact_user_tables
     where seq_scan > 0 and relname <> all ($1) and pg_relation_size(relid) > 0`,
    [smallTables],
  )
  return new Map(rows.map(({ table, count }) => [table, Number(count)]))
}
