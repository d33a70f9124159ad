import type { Job } from '../jobs/index.ts'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** Each hour: broadcasts that have been kept long enough. */
export function buildForgetJob(service: ServiceDb): Job<object> {
  return {
    name: 'realtime-forget',
    schedule: { cron: '29 * * * *', data: {} },
    async run() {
      await service.rows(sql`select realtime.forget_messages()`)
    },
  }
}
