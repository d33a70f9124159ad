import { createPartitions, partitionedTables } from '@ovation/server/postgres/partitions'
import pg from 'pg'
import type { SeedPlan } from './arguments.ts'
import { buildCommunity } from './community.ts'
import { copyRows } from './copy.ts'
import { deriveRows } from './derived.ts'
import { readSharedChains } from './ledger-chain.ts'
import { inventSubscriptions } from './subscriptions.ts'
import { follows } from './tables/follows.ts'
import { messages } from './tables/messages.ts'
import { payments } from './tables/payments.ts'
import { people, seedDomain } from './tables/people.ts'
import { posts } from './tables/posts.ts'
import { products } from './tables/products.ts'
import { reactions } from './tables/reactions.ts'
import { subscriptions } from './tables/subscriptions.ts'

export type SeedOptions = {
  readonly plan: SeedPlan
  /** Hash of the password that all seeded accounts share; null: none of them can sign in by password. */
  readonly passwordHash: string | null
  readonly onTable?: (table: string, rows: number, seconds: number) => void
}

/** The database can't be seeded, for the reason in the message. */
class SeedError extends Error {}

/**
 * Fills a migrated database completely or not at all: one transaction, rows by COPY, without triggers and foreign keys. Rows that
 * counters count are written before the rows that hold the counters.
 * @throws SeedError when the role may not do that, or the database has been seeded before.
 */
export async function seedDatabase(client: pg.Client, { plan, passwordHash, onTable }: SeedOptions): Promise<void> {
  let startedAt = performance.now()
  const report = (table: string, rows: number) => {
    onTable?.(table, rows, (performance.now() - startedAt) / 1000)
    startedAt = performance.now()
  }
  await client.query('begin')
  try {
    await silenceTriggers(client)
    await requireUnseeded(client)
    const community = buildCommunity(plan)
    const list = inventSubscriptions(community)
    const tables = [
      ...products(community),
      ...follows(community),
      ...subscriptions(community, list),
      ...payments(community, list, await readSharedChains(client)),
      ...reactions(community),
      ...posts(community),
      ...messages(community),
      ...people(community, passwordHash),
    ]
    for (const table of tables) report(table.name, await copyRows(client, table))
    await deriveRows(client, report)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // a lost connection has already rolled back
    throw describe(error)
  }
  for (const table of partitionedTables) await createPartitions(client, table)
  // After the transaction: fresh statistics and visibility map, so that the planner works as in a database in use.
  await client.query('vacuum (analyze)')
  report('vacuum and analyze', 0)
}

async function silenceTriggers(client: pg.Client) {
  try {
    await client.query('set local session_replication_role = replica')
  } catch (error) {
    if ((error as { code?: unknown }).code !== '42501') throw error
    throw new SeedError(
      'Seeding needs a superuser, or a role with: grant set on parameter session_replication_role to <role>.',
    )
  }
}

async function requireUnseeded(client: pg.Client) {
  const { rowCount } = await client.query(`select from auth.users where email like '%@' || $1 limit 1`, [seedDomain])
  if (rowCount) throw new SeedError('This database has been seeded before: take a fresh DATA_DIR, or another database.')
}

function describe(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return error
  return new SeedError(
    `The database holds something that the seed would make again (${error.detail ?? error.message}): seed a fresh one.`,
  )
}
