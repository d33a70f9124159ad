import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../../lib/api/functions.ts'
import { supabase } from '../../../lib/api/supabase.ts'

type Composite<Name extends keyof Database['public']['CompositeTypes']> = Database['public']['CompositeTypes'][Name]

export type QueuedReport = Composite<'queued_report'>
export type AuditLine = Composite<'audit_line'>
export type PaymentDifference = Composite<'payment_difference'>
export type ListedPayment = Composite<'listed_payment'>

export const reportsKey = ['reports'] as const
const auditKey = ['audit'] as const
export const differencesKey = ['payment-differences'] as const
export const healthKey = ['health'] as const
const pageSize = 25

/** Open or settled reports, newest first (D43). */
export const reportsQuery = (settled: boolean) =>
  infiniteQueryOptions({
    queryKey: [...reportsKey, settled],
    staleTime: 0,
    initialPageParam: undefined as QueuedReport | undefined,
    getNextPageParam: (page: QueuedReport[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<QueuedReport[]> => {
      const { data } = await supabase
        .rpc('get_reports', {
          settled,
          page_size: pageSize,
          ...(pageParam && { before: pageParam.created_at, before_id: pageParam.id }),
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

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

/** `days` days in UTC: the last ones, including today, or those before a number of later days. */
function spanOf(days: number, later = 0): { first_day: string; last_day: string } {
  const last = new Date()
  last.setUTCDate(last.getUTCDate() - later)
  const first = new Date(last)
  first.setUTCDate(first.getUTCDate() - days + 1)
  const name = (date: Date) => date.toISOString().slice(0, 10)
  return { first_day: name(first), last_day: name(last) }
}

/** People, growth, and queues (LOOP-24). */
export const overviewQuery = () =>
  queryOptions({
    queryKey: ['admin-overview'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_admin_overview').abortSignal(signal).throwOnError()
      return data as Composite<'admin_overview'>
    },
  })

export const foundPaymentsKey = ['found-payments'] as const

/** Payments and refunds of the users whose username, name, or email contains `search`, newest first (LOOP-24). */
export const foundPaymentsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...foundPaymentsKey, search],
    staleTime: 0,
    initialPageParam: undefined as ListedPayment | undefined,
    getNextPageParam: (page: ListedPayment[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<ListedPayment[]> => {
      const { data } = await supabase
        .rpc('get_payments', {
          page_size: pageSize,
          ...(search && { search }),
          ...(pageParam && { before: pageParam.created_at, before_id: pageParam.id }),
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The pictures of reported posts and profiles, by what was reported. */
export const reportedPicturesQuery = (reports: readonly QueuedReport[]) => {
  const idsOf = (type: string) =>
    [...new Set(reports.filter(({ target_type }) => target_type === type).map(({ target_id }) => target_id))].toSorted()
  const [postIds, profileIds] = [idsOf('post'), idsOf('profile')]
  return queryOptions({
    queryKey: ['reported-pictures', postIds, profileIds],
    queryFn: async ({ signal }) => {
      const [posts, profiles] = await Promise.all([
        postIds.length === 0
          ? []
          : supabase
              .from('posts')
              .select('id, media_urls, media_types')
              .in('id', postIds)
              .abortSignal(signal)
              .throwOnError()
              .then(({ data }) => data),
        profileIds.length === 0
          ? []
          : supabase
              .from('profiles')
              .select('id, avatar_url, updated_at')
              .in('id', profileIds)
              .abortSignal(signal)
              .throwOnError()
              .then(({ data }) => data),
      ])
      return {
        /** Paths in bucket `posts`, by post. */
        posts: new Map(
          posts.flatMap(({ id, media_urls, media_types }) => {
            const image = media_urls.find((_path, index) => media_types[index] === 'image')
            return image ? [[id, image] as const] : []
          }),
        ),
        profiles: new Map(profiles.map((profile) => [profile.id, profile])),
      }
    },
  })
}

/** The revenue of all creators in the last `days` days, or in those before a number of later days (GEN-05). */
export const moneyQuery = (days: number, later = 0) =>
  queryOptions({
    queryKey: ['money', 'overview', days, later],
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_money_overview', spanOf(days, later)).abortSignal(signal).throwOnError()
      return data as Composite<'money_overview'>
    },
  })

export const moneySeriesQuery = (days: number) =>
  queryOptions({
    queryKey: ['money', 'series', days],
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_money_series', spanOf(days)).abortSignal(signal).throwOnError()
      return data
    },
  })

/** A separate query, because it adds up the whole ledger. */
export const balancesQuery = () =>
  queryOptions({
    queryKey: ['money', 'balances'],
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_platform_balances').abortSignal(signal).throwOnError()
      return data as Composite<'platform_balances'>
    },
  })

/** Unresolved differences between the ledger and the payment provider. */
export const differencesQuery = () =>
  queryOptions({
    queryKey: differencesKey,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_payment_differences').abortSignal(signal).throwOnError()
      return data
    },
  })

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
