import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../../lib/api/functions.ts'

export const healthKey = ['health'] as const

export type Health = {
  parts: {
    part: 'database' | 'storage' | 'payments' | 'mail' | 'redis'
    state: 'ok' | 'failed'
    tookMs: number
    seen: string
  }[]
  /** Unfinished jobs, by queue and pg-boss state. */
  jobs: { queue: string; state: string; count: number }[]
  failedJobs: { id: string; queue: string; failedAt: string; retries: number; reason: string | null }[]
}

/** The health of the installation, polled while the screen is open. */
export const healthQuery = () =>
  queryOptions({
    queryKey: healthKey,
    staleTime: 0,
    refetchInterval: 30_000,
    queryFn: () => callFunction<Health>('get-system-health'),
  })
