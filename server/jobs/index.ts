export { type Job, Jobs, type JobsOptions } from './jobs.ts'
