import type { SupportCategory, SupportPriority } from '@ovation/contract/limits'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const supportKey = ['support-requests'] as const

export type SupportRequest = {
  id: string
  /** auth.users.id; null for visitors and deleted accounts. */
  user_id: string | null
  name: string
  email: string
  subject: string
  category: SupportCategory | null
  message: string
  priority: SupportPriority
  status: 'open' | 'in_progress' | 'resolved'
  created_at: string
  updated_at: string
}

export type SupportPage = { requests: SupportRequest[]; total: number }

const columns = 'id, user_id, name, email, subject, category, message, priority, status, created_at, updated_at'
const pageSize = 25

/** All requests, or those with a status, newest first, with their total (ADM-22, API-REST-33). */
export const supportRequestsQuery = (status?: SupportRequest['status']) =>
  infiniteQueryOptions({
    queryKey: [...supportKey, status ?? 'all'],
    // Another admin may be working on them.
    staleTime: 0,
    initialPageParam: 0,
    getNextPageParam: (last: SupportPage, pages: SupportPage[]) =>
      pages.length * pageSize < last.total ? pages.length : undefined,
    queryFn: async ({ signal, pageParam }): Promise<SupportPage> => {
      const all = supabase.from('support_requests').select(columns, { count: 'exact' })
      const { data, count } = await (status ? all.eq('status', status) : all)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .range(pageParam * pageSize, (pageParam + 1) * pageSize - 1)
        .abortSignal(signal)
        .throwOnError()
      return { requests: data, total: count ?? data.length }
    },
  })
