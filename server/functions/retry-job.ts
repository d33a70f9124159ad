import pg from 'pg'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { uuid } from './fields.ts'
import { auditEntry } from './queries.ts'

/** `retry-job` {jobId} → {success, queue}: retries a job that has failed for good, and writes it to the audit log. */
export const retryJob = defineFunction({
  name: 'retry-job',
  requires: 'admin',
  fields: { jobId: uuid({ label: 'The job' }) },
  run: async ({ person, input: { jobId }, services }) => {
    const line = (queue: string) =>
      auditEntry({
        action: 'retry_job',
        subjectType: 'jobs',
        subjectId: jobId,
        before: { state: 'failed' },
        after: { state: 'retry' },
        details: { queue },
        actorId: person.userId,
      })
    const queue = await services.jobs.retry(jobId, line).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === '23505') throw functionErrors.jobWaits()
      throw error
    })
    if (queue === undefined) throw functionErrors.jobNotFound()
    return { success: true, queue }
  },
})
