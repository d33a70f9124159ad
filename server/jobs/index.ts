export { hasWork } from './has-work.ts'
export { type Job, Jobs, type JobsOptions } from './jobs.ts'
