export { type FailedJob, type Job, Jobs, type JobsOptions } from './jobs.ts'
