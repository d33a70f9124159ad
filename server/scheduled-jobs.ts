import { endLapsedSubscriptions } from './payments/subscriptions/end-lapsed.ts'
import { sql } from './postgres/sql.ts'
import type { Services } from './services.ts'

/** What happens because time passes, and nobody calls for it: unpaid holds, unanswered requests, reminders, messages to many, subscriptions that ran out. */
export function addScheduledJobs(services: Services): void {
  const { jobs, database } = services
  jobs.add({
    name: 'sessions-by-the-clock',
    queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 20 },
    schedule: { cron: '* * * * *', data: {} },
    run: async () => {
      await database.service.rows(sql`select private.settle_bookings(), private.remind_of_sessions()`)
    },
  })
  jobs.add({
    name: 'group-messages',
    queue: { policy: 'exclusive', retryLimit: 3, retryDelay: 20 },
    schedule: { cron: '* * * * *', data: {} },
    run: async () => {
      for (let more = true; more; ) {
        const [turn] = await database.service.rows<{ more: boolean }>(sql`select private.send_group_messages() as more`)
        more = turn?.more ?? false
      }
    },
  })
  jobs.add({
    name: 'subscriptions-by-the-clock',
    queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 60 },
    schedule: { cron: '*/10 * * * *', data: {} },
    run: () => endLapsedSubscriptions(services),
  })
}
