import type { FastifyBaseLogger } from 'fastify'
import type { PgBoss, Queue } from 'pg-boss'
import { withClient } from '../postgres/migrate.ts'
import type { Statement } from '../postgres/sql.ts'
import type { Telemetry } from '../telemetry.ts'
import { openQueue } from './open-queue.ts'

/** A kind of background work. It may run twice (a killed process, a lost response), so `run` must be idempotent. */
export type Job<Data extends object> = {
  readonly name: string
  /** How often and how patiently a failure is retried, and whether two jobs with one key may wait side by side (`policy`). */
  readonly queue?: Omit<Queue, 'name'>
  /** How many may run at once in this process. */
  readonly concurrency?: number
  /** A schedule on which the job also runs: five cron fields, in UTC, with this data. */
  readonly schedule?: { readonly cron: string; readonly data: Data }
  /** Resolves when the work is done. A rejection is retried later, and stays visible in pgboss.job if it never succeeds. */
  run(data: Data): Promise<void>
}

export type FailedJob = {
  readonly id: string
  readonly queue: string
  readonly failedAt: Date
  /** How many times it has been retried. */
  readonly retries: number
  readonly reason: string | null
}

export type JobsOptions = {
  readonly ownerUrl: string
  readonly log: FastifyBaseLogger
  readonly telemetry?: Telemetry | undefined
}

/**
 * The policy for jobs that are sent whenever there is something to do and where one run does all of it: one job waits beside the
 * one. With `exclusive`, a job sent after the running job's last look would be dropped, and the work would wait for the schedule.
 */
export const onDemand = 'stately'

/** How often a worker looks for jobs that another node or a retry left. Jobs sent by this node start at once. */
const pollingSeconds = 1
/**
 * How often pg-boss notes which queues are busy, and reads what it has noted. Until it has noted the end of a long run, it skips the jobs that
 * waited beside it (`onDemand`): with its own minute for each, for up to two minutes.
 */
const supervision = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5, queueCacheIntervalSeconds: 1 }
/** Few, so that jobs wait for one another rather than take connections from requests. */
const connections = 3
const stopTimeoutMs = 3_000
/** How long a worker may be silent before its job goes to another worker: its process was killed. Heartbeats come twice as often. */
const aliveness = { heartbeatSeconds: 30 }

/** Background jobs on PostgreSQL (pg-boss, schema pgboss): stored before they run, and run by any free node. */
export class Jobs {
  readonly #boss: PgBoss
  readonly #ownerUrl: string
  readonly #log: FastifyBaseLogger
  readonly #telemetry: Telemetry | undefined
  readonly #definitions: Job<object>[] = []
  readonly #workers = new Map<string, string[]>()

  constructor({ ownerUrl, log, telemetry }: JobsOptions) {
    this.#telemetry = telemetry
    this.#log = log.child({ part: 'jobs' })
    this.#ownerUrl = ownerUrl
    this.#boss = openQueue(ownerUrl, { application_name: 'ovation jobs', max: connections, ...supervision })
    this.#boss.on('error', (err) => this.#log.error({ err }, 'job queue error'))
    this.#boss.on('warning', (warning) => this.#log.warn({ warning }, 'job queue warning'))
  }

  /** Registers what this node can run. Call it before `start`. */
  add<Data extends object>(job: Job<Data>): void {
    this.#definitions.push(job as unknown as Job<object>)
  }

  async start(): Promise<void> {
    await this.#boss.start()
    for (const job of this.#definitions) await this.#take(job)
  }

  /**
   * Sends a job. It is stored when this resolves.
   * @param key jobs with one key count as one if the queue's policy says so.
   * @param at when it runs, if not at once.
   */
  async send<Data extends object>(job: Pick<Job<Data>, 'name'>, data: Data, key?: string, at?: Date): Promise<void> {
    await this.#boss.send(job.name, data, {
      ...aliveness,
      ...(key !== undefined && { singletonKey: key }),
      ...(at && { startAfter: at }),
    })
    this.#wake(job.name)
  }

  /** Unfinished jobs, by queue and pg-boss state: `failed` ones won't be retried. */
  async countOpen(): Promise<{ queue: string; state: string; count: number }[]> {
    const { rows } = await this.#boss
      .getDb()
      .executeSql(
        `select name as queue, state::text, count(*)::int from pgboss.job where state < 'completed' or state = 'failed' group by 1, 2`,
      )
    return rows
  }

  /** How long the oldest job that is due has waited, in seconds; 0 if none waits. */
  async oldestDueSeconds(): Promise<number> {
    const { rows } = await this.#boss.getDb().executeSql(
      `select coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as seconds from pgboss.job
         where state in ('created', 'retry') and start_after <= now()`,
    )
    return Number(rows[0]?.seconds ?? 0)
  }

  /** Jobs that failed for good, latest first, with the reason. @param most the limit. */
  async listFailed(most: number): Promise<FailedJob[]> {
    const { rows } = await this.#boss.getDb().executeSql(
      `select id::text, name as queue, completed_on as "failedAt", retry_count as retries,
         coalesce(output ->> 'message', output #>> '{value,message}', output::text) as reason
       from pgboss.job where state = 'failed' order by completed_on desc, id limit $1`,
      [most],
    )
    return rows
  }

  /**
   * Retries a failed job once more.
   * @param record what to write in the same transaction, as the owner: who requested the retry.
   * @returns the queue; undefined if there is no such failed job (any more).
   * @throws pg's error 23505 if an identical job is already queued.
   */
  async retry(id: string, record: (queue: string) => Statement): Promise<string | undefined> {
    const queue = await withClient(this.#ownerUrl, async (client) => {
      const executeSql = (text: string, values: unknown[] = []) => client.query(text, values)
      await client.query('begin')
      const { rows } = await executeSql(`select name from pgboss.job where id = $1 and state = 'failed' for update`, [
        id,
      ])
      const name: string | undefined = rows[0]?.name
      if (name === undefined) return undefined
      await this.#boss.retry(name, id, { db: { executeSql } })
      const { text, values } = record(name)
      await executeSql(text, [...values])
      await client.query('commit')
      return name
    })
    if (queue !== undefined) this.#wake(queue)
    return queue
  }

  /** Gives running jobs a moment to finish. Those that don't run again after the next start. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: stopTimeoutMs })
  }

  async #take({ name, queue, concurrency = 1, schedule, run }: Job<object>): Promise<void> {
    await this.#boss.createQueue(name, queue)
    const workers: string[] = []
    this.#workers.set(name, workers)
    while (workers.length < concurrency) {
      const worker = await this.#boss.work(
        name,
        { pollingIntervalSeconds: pollingSeconds },
        async (batch: { id: string; data: object }[]) => {
          for (const { id, data } of batch) await this.#run(name, id, () => run(data))
        },
      )
      workers.push(worker)
    }
    if (schedule) await this.#boss.schedule(name, schedule.cron, schedule.data, aliveness)
  }

  async #run(name: string, id: string, work: () => Promise<void>): Promise<void> {
    const logged = () => this.#runLogged(name, id, work)
    return this.#telemetry ? this.#telemetry.traceJob(name, id, logged) : logged()
  }

  async #runLogged(name: string, id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (err) {
      this.#log.error({ err, job: name, jobId: id }, 'a job failed and will be retried')
      throw err
    } finally {
      // There may be more: a worker looks again as soon as it finishes a job, and rests only when it finds none.
      this.#wake(name)
    }
  }

  #wake(name: string): void {
    for (const worker of this.#workers.get(name) ?? []) this.#boss.notifyWorker(worker)
  }
}
