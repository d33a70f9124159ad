import { Listener } from '../postgres/listener.ts'
import type { Services } from '../services.ts'
import { deliverMails } from './deliver-mails.ts'
import { deliverPushes } from './deliver-pushes.ts'

const mailsJob = { name: 'notification-mails' } as const
const pushesJob = { name: 'notification-pushes' } as const

/** What is told outside the app. Both run by the clock; a push also as soon as it is there. */
export function addNotificationJobs(services: Services): Listener {
  const { jobs, database, log } = services
  const queue = { policy: 'exclusive', retryLimit: 2, retryDelay: 30 } as const
  const schedule = { cron: '* * * * *', data: {} }
  jobs.add({ ...mailsJob, queue, schedule, run: () => deliverMails(services) })
  jobs.add({ ...pushesJob, queue, schedule, run: () => deliverPushes(services) })
  return new Listener({
    ownerUrl: database.ownerUrl,
    channel: 'ovation_pushes',
    log,
    // A failure to wake is no failure to send: the clock does both.
    onNotification: () =>
      void jobs.send(pushesJob, {}).catch((err: unknown) => log.warn({ err }, 'a push waits for the clock')),
  })
}
