import type pg from 'pg'
import { withClient } from './migrate.ts'

/** The tables that are partitioned by month (database/migrations/0074_partitions.sql). */
export const partitionedTables = [
  'public.notifications',
  'public.audit_log',
  'auth.audit_log_entries',
  'public.post_views',
  'public.profile_views',
] as const

type PartitionedTable = (typeof partitionedTables)[number]

/** For how many days tables keep their rows; forever, if undefined. */
export type Retention = { readonly [table in PartitionedTable]?: number | undefined }

/**
 * Makes the partitions of the coming months and drops those that are too old, a table at a time: one that is in use doesn't delay the others.
 * Idempotent. Needs the owner of the tables.
 * @throws AggregateError when a table was in use; the next run makes up for it.
 */
export async function keepPartitions(ownerUrl: string, retention: Retention): Promise<void> {
  const failures: unknown[] = []
  await withClient(ownerUrl, async (client) => {
    for (const table of partitionedTables) {
      try {
        await createPartitions(client, table)
        const days = retention[table]
        if (days !== undefined) await client.query('select private.drop_partitions($1, $2)', [table, days])
        // Autovacuum analyzes partitions, but not the table that they make up.
        await client.query(`analyze ${table}`)
      } catch (error) {
        failures.push(error)
      }
    }
  })
  if (failures.length > 0) throw new AggregateError(failures, `Partitions wait: ${failures.map(String).join('; ')}`)
}

/** Also moves rows into their months that were stored for earlier ones, as a restore does. */
export async function createPartitions(client: pg.Client, table: PartitionedTable): Promise<void> {
  await client.query('select private.create_partitions($1)', [table])
}
