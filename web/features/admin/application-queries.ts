import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { storage } from '../../lib/api/storage.ts'
import { supabase } from '../../lib/api/supabase.ts'

export const applicationsKey = ['applications'] as const

export type Applicant = {
  user_id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  updated_at: string
}

export type Application = {
  id: string
  user_id: string
  full_name: string
  address: string
  country: string
  /** Null outside the United States. */
  ssn_last4: string | null
  /** Paths in bucket `verification`. */
  id_front_url: string
  id_back_url: string
  status: 'pending' | 'approved' | 'rejected'
  rejection_reason: string | null
  submitted_at: string
  reviewed_at: string | null
  /** Null when the account has no profile. */
  applicant: Applicant | null
}

export type ApplicationPage = { applications: Application[]; total: number }

// Without full_ssn (API-REST-29), which reads as null anyway.
const columns = `id, user_id, full_name, address, country, ssn_last4, id_front_url, id_back_url, status, rejection_reason,
  submitted_at, reviewed_at`
const pageSize = 25

/** Pending or reviewed applications, newest first, with their total (ADM-04, API-REST-29). */
export const applicationsQuery = (kind: 'pending' | 'reviewed') =>
  infiniteQueryOptions({
    queryKey: [...applicationsKey, kind],
    // Another admin may be working on them.
    staleTime: 0,
    initialPageParam: 0,
    getNextPageParam: (last: ApplicationPage, pages: ApplicationPage[]) =>
      pages.length * pageSize < last.total ? pages.length : undefined,
    queryFn: async ({ signal, pageParam }): Promise<ApplicationPage> => {
      const { data, count } = await supabase
        .from('creator_applications')
        .select(columns, { count: 'exact' })
        .in('status', kind === 'pending' ? ['pending'] : ['approved', 'rejected'])
        .order('submitted_at', { ascending: false })
        .order('id')
        .range(pageParam * pageSize, (pageParam + 1) * pageSize - 1)
        .abortSignal(signal)
        .throwOnError()
      const applicants = await applicantsOf(
        data.map((application) => application.user_id),
        signal,
      )
      return {
        applications: data.map((application) => ({
          ...application,
          applicant: applicants.find(({ user_id }) => user_id === application.user_id) ?? null,
        })),
        total: count ?? data.length,
      }
    },
  })

/** Fetched separately: applications refer to accounts, not profiles, so they can't be embedded. */
async function applicantsOf(userIds: string[], signal: AbortSignal): Promise<Applicant[]> {
  if (userIds.length === 0) return []
  const { data } = await supabase
    .from('profiles')
    .select('user_id, username, display_name, avatar_url, updated_at')
    .in('user_id', [...new Set(userIds)])
    .abortSignal(signal)
    .throwOnError()
  return data
}

/** Lifetime of a link to an image of an ID, in seconds (ADM-11, D10). */
const idLinkSeconds = 3_600

/** A signed link; `null` if there is no such document (ADM-11, ADM-12). */
export const idImageQuery = (path: string) =>
  queryOptions({
    queryKey: ['id-image', path],
    // Reused until shortly before it expires, and dropped with the dialog.
    staleTime: (idLinkSeconds - 300) * 1_000,
    gcTime: 0,
    queryFn: async (): Promise<string | null> => {
      const { data, error } = await storage().from('verification').createSignedUrl(path, idLinkSeconds)
      if (!error) return data.signedUrl
      if ('statusCode' in error && String(error.statusCode) === '404') return null
      throw error
    },
  })
