import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Jobs } from '../jobs/index.ts'
import type { Database } from '../postgres/database.ts'
import { Listener } from '../postgres/listener.ts'
import { sql } from '../postgres/sql.ts'

export const massMessagesJob = { name: 'mass-messages' } as const

type Sending = {
  readonly database: Pick<Database, 'service'>
  readonly jobs: Pick<Jobs, 'send'>
}

/** How far ahead a run arranges the next one: the schedule brings a run at least this often. */
const lookAheadMs = 60_000

/** Sends, ends, and takes back mass messages until nothing is left to do, and comes back for the one that is due next. */
export async function sendMassMessages({ database: { service }, jobs }: Sending): Promise<void> {
  for (let more = true; more; ) {
    const startedAt = performance.now()
    const [step] = await service.rows<{ more: boolean }>(sql`select private.send_mass_messages() as more`)
    more = step?.more ?? false
    // As long again for everyone else: 100,000 copies then take some 40 seconds, and those who read notice little (MASS-06).
    if (more) await sleep(performance.now() - startedAt)
  }
  const [due] = await service.rows<{ next: string | null }>(sql`select private.next_mass_step() as next`)
  if (!due?.next) return
  const next = new Date(due.next)
  if (next.getTime() < Date.now() + lookAheadMs) await jobs.send(massMessagesJob, {}, next.toISOString(), next)
}

/** Runs the job as soon as a creator sends, schedules, ends, or takes back a mass message. */
export function listenForMassMessages({
  jobs,
  database,
  log,
}: {
  readonly jobs: Jobs
  readonly database: Database
  readonly log: FastifyBaseLogger
}): Listener {
  return new Listener({
    ownerUrl: database.ownerUrl,
    channel: 'ovation_mass_messages',
    log,
    onNotification: () =>
      void jobs
        .send(massMessagesJob, {})
        .catch((err: unknown) => log.warn({ err }, 'mass messages deferred to the next scheduled run')),
  })
}
