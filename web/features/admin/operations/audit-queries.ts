import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { supabase } from '../../../lib/api/supabase.ts'

export type AuditLine = Database['public']['CompositeTypes']['audit_line']

const auditKey = ['audit'] as const

/** The filters of the audit log; empty strings match everything. */
export type AuditFilter = {
  readonly actor: string
  readonly action: string
  /** Dates as `YYYY-MM-DD` in the admin's time zone, both inclusive. */
  readonly from: string
  readonly to: string
}

export const noFilter: AuditFilter = { actor: '', action: '', from: '', to: '' }
const auditPageSize = 50

/** @returns the arguments of get_audit_log. */
function asArguments({ actor, action, from, to }: AuditFilter) {
  const afterTo = to ? new Date(`${to}T00:00`) : undefined
  afterTo?.setDate(afterTo.getDate() + 1)
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(from && { since: new Date(`${from}T00:00`).toISOString() }),
    ...(afterTo && { until: afterTo.toISOString() }),
  }
}

/** Admins' actions, newest first (DATA-25). */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...auditKey, filter],
    staleTime: 0,
    initialPageParam: undefined as AuditLine | undefined,
    getNextPageParam: (page: AuditLine[]) => (page.length < auditPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<AuditLine[]> => {
      const { data } = await supabase
        .rpc('get_audit_log', {
          ...asArguments(filter),
          page_size: auditPageSize,
          ...(pageParam && { before: pageParam.created_at, before_id: pageParam.id }),
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The server's maximum page size. */
const exportPageSize = 1000

/** All matching entries of the log. */
export async function readWholeLog(filter: AuditFilter): Promise<AuditLine[]> {
  const lines: AuditLine[] = []
  for (;;) {
    const last = lines.at(-1)
    const { data } = await supabase
      .rpc('get_audit_log', {
        ...asArguments(filter),
        page_size: exportPageSize,
        ...(last && { before: last.created_at, before_id: last.id }),
      })
      .throwOnError()
    lines.push(...data)
    if (data.length < exportPageSize) return lines
  }
}
