import { measureHealth } from '../operations/measure-health.ts'
import { defineFunction } from './define.ts'

/** `get-system-health` → {success, parts, jobs, failedJobs}: how the parts of the installation are doing. */
export const getSystemHealth = defineFunction({
  name: 'get-system-health',
  requires: 'admin',
  fields: {},
  run: async ({ services }) => ({ success: true, ...(await measureHealth(services)) }),
})
