import { Gauge, Registry } from 'prom-client'
import { sql } from '../postgres/sql.ts'
import { freeBytes } from './free-bytes.ts'
import type { Services } from './services.ts'

const patienceMs = 2_000

/**
 * Figures of the whole installation, or of this machine, read on request. Only one process reports them, because a sum over several
 * would be wrong.
 */
export function buildInstallationMetrics(services: Services): { read(): Promise<Registry> } {
  const { config, database, hasProductSchema, jobs, redis, store, log } = services
  const registry = new Registry()
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const jobCounts = gauge('ovation_jobs', 'Background jobs, by state; look into failed ones.', ['queue', 'state'])
  const oldestJob = gauge('ovation_jobs_oldest_waiting_seconds', 'How long the oldest due job has waited.')
  const up = gauge('ovation_part_up', '1 while the service responds to this node.', ['part'])
  const free = gauge('ovation_disk_free_bytes', 'Free space on the disk of DATA_DIR.')
  const webhooks = gauge(
    'ovation_webhooks_open',
    'Webhooks stored but not processed: late after a minute, failed after an attempt.',
    ['state'],
  )
  const differences = gauge(
    'ovation_payment_differences',
    'Amounts of the payment provider that differ from the books.',
  )
  const payments = gauge('ovation_payments_last_hour', 'Movements of money in the last hour, by kind.', ['kind'])
  const lag = gauge('ovation_realtime_log_lag_bytes', 'How far the slowest reader of the write-ahead log lags behind.')

  const tell = (err: unknown) => log.warn({ err }, 'a part of /metrics could not be read')
  const isUp = async (part: string, ask: () => Promise<unknown>) => up.set({ part }, (await answers(ask)) ? 1 : 0)

  async function readDatabase() {
    const [row] = await database.service.rows<Record<'late' | 'failed' | 'differences', number>>(sql`
      select
        (select count(*)::int from private.stripe_events
         where processed_at is null and error is null and received_at < now() - interval '1 minute') as late,
        (select count(*)::int from private.stripe_events where processed_at is null and error is not null) as failed,
        (select count(*)::int from private.payment_differences where resolved_at is null) as differences`)
    webhooks.set({ state: 'late' }, row?.late ?? 0)
    webhooks.set({ state: 'failed' }, row?.failed ?? 0)
    differences.set(row?.differences ?? 0)
    const kinds = await database.service.rows<{ kind: string; count: number }>(sql`
      select transaction_type as kind, count(*)::int as count from public.transactions
      where created_at > now() - interval '1 hour' group by 1`)
    payments.reset()
    for (const { kind, count } of kinds) payments.set({ kind }, count)
    const [slots] = await database.service.rows<{ bytes: number }>(sql`
      select coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(confirmed_flush_lsn, restart_lsn))), 0)::float8 as bytes
      from pg_replication_slots where slot_name like 'ovation\\_%'`)
    lag.set(Math.max(0, Number(slots?.bytes ?? 0)))
  }

  async function readJobs() {
    const counts = await jobs.countOpen()
    jobCounts.reset()
    for (const { queue, state, count } of counts) jobCounts.set({ queue, state }, count)
    oldestJob.set(await jobs.oldestDueSeconds())
  }

  return {
    async read() {
      await Promise.all([
        isUp('database', () => database.service.rows(sql`select 1`)),
        ...(redis ? [isUp('redis', () => redis.commands.ping())] : []),
        ...(hasProductSchema
          ? [isUp('storage', () => store.check()), readDatabase().catch(tell), readJobs().catch(tell)]
          : []),
        freeBytes(config.dataDir).then((bytes) => free.set(bytes), tell),
      ])
      return registry
    },
  }
}

/** A service that hangs counts as down. */
async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const impatience = new Promise<boolean>((done) => {
    timer = setTimeout(() => done(false), patienceMs)
  })
  const answered = ask().then(
    () => true,
    () => false,
  )
  const outcome = await Promise.race([answered, impatience])
  clearTimeout(timer)
  return outcome
}
