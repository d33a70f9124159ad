import pg from 'pg'
import { measureHealth } from '../operations/measure-health.ts'
import { sql } from '../postgres/sql.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { uuid } from './fields.ts'

/** `get-system-health` → {success, parts, jobs, failedJobs}: how the parts of the installation are, for admins. */
export const getSystemHealth = defineFunction({
  name: 'get-system-health',
  fields: {},
  run: async ({ person, services }) => {
    if (!person.isAdmin) throw functionErrors.forbidden()
    return { success: true, ...(await measureHealth(services)) }
  },
})

/** `retry-job` {jobId} → {success, queue}: work that failed for good is tried once more, for admins. It stands in the audit log. */
export const retryJob = defineFunction({
  name: 'retry-job',
  fields: { jobId: uuid({ label: 'The job' }) },
  run: async ({ person, input: { jobId }, services }) => {
    if (!person.isAdmin) throw functionErrors.forbidden()
    const line = (queue: string) => sql`
      select private.write_audit('retry_job', 'jobs', ${jobId}, '{"state": "failed"}', '{"state": "retry"}',
        jsonb_build_object('queue', ${queue}::text), ${person.userId})`
    const queue = await services.jobs.retry(jobId, line).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === '23505') throw functionErrors.jobWaits()
      throw error
    })
    if (queue === undefined) throw functionErrors.jobNotFound()
    return { success: true, queue }
  },
})
