import type { Jobs } from '../jobs/index.ts'
import { Listener } from '../postgres/listener.ts'
import type { Services } from './services.ts'

export const pushesJob = { name: 'notification-pushes' } as const

/** Delivers a push as soon as the database has it. */
export function listenForPushes({
  jobs,
  database,
  log,
}: Pick<Services, 'database' | 'log'> & { readonly jobs: Jobs }): Listener {
  return new Listener({
    ownerUrl: database.ownerUrl,
    channel: 'ovation_pushes',
    log,
    // A failed trigger isn't a failed push: the schedule delivers it.
    onNotification: () =>
      void jobs
        .send(pushesJob, {})
        .catch((err: unknown) => log.warn({ err }, 'push deferred to the next scheduled run')),
  })
}
