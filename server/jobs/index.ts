export { type FailedJob, type Job, Jobs, type JobsOptions, onDemand } from './jobs.ts'
