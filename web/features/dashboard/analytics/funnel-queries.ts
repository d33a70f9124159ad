import type { Database } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../../lib/api/supabase.ts'
import { dashboardKey, fresh, lastOf } from '../query-parts.ts'

type Types = Database['public']['CompositeTypes']

export type FunnelDay = Types['funnel_day']

/** The funnel by day, from and to included (STATX-02). */
export const funnelQuery = (profileId: string, from: string, to: string, zone: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'funnel', from, to, zone],
    queryFn: async ({ signal }): Promise<FunnelDay[]> => {
      const { data } = await supabase
        .rpc('get_funnel', { from_day: from, to_day: to, zone }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export const contentKinds = ['posts', 'messages', 'products'] as const
export type ContentKind = (typeof contentKinds)[number]
export const contentOrders = ['newest', 'views', 'purchases', 'earnings'] as const
export type ContentOrder = (typeof contentOrders)[number]
export type ContentFigure = Types['content_figure']
export type ContentSearch = { kind: ContentKind; order: ContentOrder; search: string }

const pageSize = 50

/** A page of posts, messages, or products with what they earned and who saw them. `after`: the last row of the page before. */
async function readContent(
  { kind, order, search }: ContentSearch,
  after: ContentFigure | undefined,
  size: number,
  signal?: AbortSignal,
): Promise<ContentFigure[]> {
  const page = supabase.rpc(
    'get_content_figures',
    {
      kind,
      sort: order,
      page_size: size,
      ...(search && { search }),
      ...(after && { before_value: after.sort_value, before_id: after.id }),
    },
    { get: true },
  )
  const { data } = await (signal ? page.abortSignal(signal) : page).throwOnError()
  return data
}

export const contentQuery = (profileId: string, wanted: ContentSearch) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'content-figures', wanted],
    initialPageParam: undefined as ContentFigure | undefined,
    getNextPageParam: lastOf(pageSize),
    queryFn: ({ signal, pageParam }) => readContent(wanted, pageParam, pageSize, signal),
  })

const csvPage = 500
const csvMost = 20_000

/** All rows, for a file. */
export async function readAllContent(wanted: ContentSearch): Promise<ContentFigure[]> {
  const rows: ContentFigure[] = []
  while (rows.length < csvMost) {
    const page = await readContent(wanted, rows.at(-1), csvPage)
    rows.push(...page)
    if (page.length < csvPage) break
  }
  return rows
}

/** Paid messages to one fan each, together. */
export const singleMessagesQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'single-messages'],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('get_single_message_figures', undefined, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type MediaReach = Types['media_reach']
/** A post, a mass message, or all messages to one fan. */
export type Played = { kind: 'posts' | 'messages'; id: string } | 'singles'

/** How far viewers got in its videos and audio. */
export const reachQuery = (profileId: string, played: Played) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'reach', played],
    queryFn: async ({ signal }): Promise<MediaReach[]> => {
      const of =
        played === 'singles' ? {} : played.kind === 'posts' ? { post_id: played.id } : { mass_message_id: played.id }
      const { data } = await supabase.rpc('get_media_reach', of, { get: true }).abortSignal(signal).throwOnError()
      return data
    },
  })
