import type { FastifyBaseLogger } from 'fastify'
import { PgBoss, type Queue } from 'pg-boss'
import { withClient } from '../postgres/migrate.ts'
import type { Statement } from '../postgres/sql.ts'

/** A kind of background work. Work may be done twice (a killed process, a lost answer), so `run` must not mind. */
export type Job<Data extends object> = {
  readonly name: string
  /** How often and how patiently a failure is tried again, and whether two jobs of one key may wait side by side (`policy`). */
  readonly queue?: Omit<Queue, 'name'>
  /** How many may run at once in this process. */
  readonly concurrency?: number
  /** Also run by the clock: five fields of cron, in UTC, with this data. */
  readonly schedule?: { readonly cron: string; readonly data: Data }
  /** Resolves when the work is done; a rejection is tried again later, and stays visible in pgboss.job when it never succeeds. */
  run(data: Data): Promise<void>
}

export type FailedJob = {
  readonly id: string
  readonly queue: string
  readonly failedAt: Date
  /** How often it had been tried again. */
  readonly retries: number
  readonly reason: string | null
}

export type JobsOptions = { readonly ownerUrl: string; readonly log: FastifyBaseLogger }

/**
 * The policy of work that is sent whenever there is something to do, all of which one run does: one job waits beside the one that runs.
 * With `exclusive` a notice would be lost while the running job has looked for the last time, and wait for the clock.
 */
export const onDemand = 'stately'

/** How often a worker looks for work that another node, or a retry, has left for it. Work sent by this node starts at once. */
const pollingSeconds = 1
/** Few: jobs wait for one another rather than take connections from requests. */
const connections = 3
const stopTimeoutMs = 3_000
/** How long a worker may be silent before its work is given to another: its process was killed. It says that it lives twice as often. */
const aliveness = { heartbeatSeconds: 30 }

/** Background work on PostgreSQL (pg-boss, schema pgboss): stored before it is done, and done by whichever node is free. */
export class Jobs {
  readonly #boss: PgBoss
  readonly #ownerUrl: string
  readonly #log: FastifyBaseLogger
  readonly #definitions: Job<object>[] = []
  readonly #workers = new Map<string, string[]>()

  constructor({ ownerUrl, log }: JobsOptions) {
    this.#log = log.child({ part: 'jobs' })
    this.#ownerUrl = ownerUrl
    this.#boss = new PgBoss({ connectionString: ownerUrl, application_name: 'ovation jobs', max: connections })
    this.#boss.on('error', (err) => this.#log.error({ err }, 'the job queue met an error'))
    this.#boss.on('warning', (warning) => this.#log.warn({ warning }, 'the job queue warns'))
  }

  /** Before `start`: what this node can do. */
  add<Data extends object>(job: Job<Data>): void {
    this.#definitions.push(job as unknown as Job<object>)
  }

  async start(): Promise<void> {
    await this.#boss.start()
    for (const job of this.#definitions) await this.#take(job)
  }

  /**
   * Leaves work to be done. It is stored when this resolves.
   * @param key jobs of one key count as one where the queue's policy says so.
   */
  async send<Data extends object>(job: Pick<Job<Data>, 'name'>, data: Data, key?: string): Promise<void> {
    await this.#boss.send(job.name, data, { ...aliveness, ...(key !== undefined && { singletonKey: key }) })
    this.#wake(job.name)
  }

  /** Work that is not done, by queue and state (pg-boss'): `failed` will not be tried again. */
  async countOpen(): Promise<{ queue: string; state: string; count: number }[]> {
    const { rows } = await this.#boss
      .getDb()
      .executeSql(
        `select name as queue, state::text, count(*)::int from pgboss.job where state < 'completed' or state = 'failed' group by 1, 2`,
      )
    return rows
  }

  /** How long the oldest work has waited that might have begun; 0 when none waits. */
  async oldestDueSeconds(): Promise<number> {
    const { rows } = await this.#boss.getDb().executeSql(
      `select coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as seconds from pgboss.job
         where state in ('created', 'retry') and start_after <= now()`,
    )
    return Number(rows[0]?.seconds ?? 0)
  }

  /** Work that failed for good, the latest first: what it was, and why. @param most how many at most. */
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
   * Has failed work tried once more.
   * @param record what is written in the same transaction, as the owner: who asked for it.
   * @returns the queue; undefined when there is no such failed work (any more).
   * @throws pg's error 23505 where the same work waits already.
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

  /** Lets running work finish for a moment; what does not is done again after the next start. */
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
    try {
      await work()
    } catch (err) {
      this.#log.error({ err, job: name, jobId: id }, 'a job failed and will be tried again')
      throw err
    } finally {
      // There may be more: a worker that has done something looks again at once, and rests only when it finds nothing.
      this.#wake(name)
    }
  }

  #wake(name: string): void {
    for (const worker of this.#workers.get(name) ?? []) this.#boss.notifyWorker(worker)
  }
}
