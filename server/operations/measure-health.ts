import { fromDatabaseFailure } from '../http/from-database-failure.ts'
import type { FailedJob } from '../jobs/index.ts'
import { DatabaseFailure } from '../postgres/database-failure.ts'
import { sql } from '../postgres/sql.ts'
import { redisIsDown } from '../redis.ts'
import { isOutside, requireFreeSpace, requireMemberships, requireReplication, requireWritable } from './requirements.ts'
import type { Services } from './services.ts'

/** One part of the installation, checked just now. */
export type PartHealth = {
  readonly part: 'database' | 'storage' | 'payments' | 'mail' | 'redis'
  readonly state: 'ok' | 'failed'
  /** Milliseconds until it answered. */
  readonly tookMs: number
  /** Its description, or the failure. Never a key or an address with a password. */
  readonly seen: string
}

export type Health = {
  readonly parts: PartHealth[]
  /** Unfinished background jobs, by queue and state. */
  readonly jobs: { queue: string; state: string; count: number }[]
  /** Jobs that failed for good, the latest first. */
  readonly failedJobs: FailedJob[]
}

/** Reports a part that doesn't answer, without delaying the others. */
const patienceMs = 5_000
const mostFailedJobs = 50

/** Checks every part as this node uses it, in parallel. Unlike the doctor, it checks what runs, not its configuration. */
export async function measureHealth(services: Services): Promise<Health> {
  const { database, store, stripe, mailer, redis, jobs, config } = services
  const parts = [
    measure('database', async () => {
      const [row] = await database.service.rows<{ version: string; size: string }>(sql`
        select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size`)
      requireWritable(database)
      if (isOutside(services)) {
        await requireMemberships(database)
        await requireReplication(database)
      }
      return `PostgreSQL ${row?.version}, ${row?.size}`
    }),
    measure('storage', async () => {
      await requireFreeSpace(config) // with S3, too: uploads pass through DATA_DIR
      await store.check()
      return config.s3 ? `S3 bucket ${config.s3.bucket}` : 'The disk of this server'
    }),
    measure('payments', async () => {
      await stripe.api.balance.retrieve()
      return stripe.mode === 'sandbox' ? 'The sandbox: no money moves' : `Stripe, ${stripe.mode}`
    }),
    measure('mail', async () =>
      (await mailer.check()) === 'smtp' ? 'The SMTP server lets us in' : 'The local outbox: no mail leaves',
    ),
    ...(redis
      ? [
          measure('redis', async () => {
            // Its own error describes the client's queue, not the outage.
            await redis.commands.ping().catch(() => Promise.reject(new Error(redisIsDown)))
            return 'Answers; nodes hear each other'
          }),
        ]
      : []),
  ]
  const [measured, open, failedJobs] = await Promise.all([
    Promise.all(parts),
    jobs.countOpen().catch(() => []),
    jobs.listFailed(mostFailedJobs).catch(() => []),
  ])
  return { parts: measured, jobs: open, failedJobs }
}

async function measure(part: PartHealth['part'], ask: () => Promise<string>): Promise<PartHealth> {
  const startedAt = performance.now()
  const tookMs = () => Math.round(performance.now() - startedAt)
  let timer: NodeJS.Timeout | undefined
  const impatience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${patienceMs / 1000} s`)), patienceMs)
  })
  try {
    const seen = await Promise.race([ask(), impatience])
    return { part, state: 'ok', tookMs: tookMs(), seen }
  } catch (failure) {
    const error = failure instanceof DatabaseFailure ? fromDatabaseFailure(failure) : failure
    return { part, state: 'failed', tookMs: tookMs(), seen: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
