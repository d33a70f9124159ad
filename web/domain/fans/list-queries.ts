import type { Json } from '@ovation/contract/database'
import { fansPageSize } from '@ovation/contract/limits'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import type { Rule } from './audience-rule.ts'

/** A list of the viewer's fans. */
export type FanList = {
  id: string
  name: string
  /** Who is on a smart list; null for a list of members. */
  rule: Rule | null
  /** Of a list without a rule. */
  members_count: number
}

/** A row of the table of fans. `spent` is in cents. */
export type Fan = {
  fan_id: string
  user_id: string
  username: string
  display_name: string | null
  /** What the viewer calls the fan. */
  custom_name: string | null
  avatar_url: string | null
  updated_at: string
  since: string
  spent: number
  plan_name: string | null
  subscription_status: string | null
  position: string
}

/** The key of everything about the viewer's fans, because a change of a list changes tables and counts. */
export const fansKey = (viewerId: string) => ['fans', viewerId] as const

/** All lists, in the order of their names. */
export const fanListsQuery = (viewerId: string) =>
  queryOptions({
    queryKey: [...fansKey(viewerId), 'lists'],
    queryFn: async ({ signal }): Promise<FanList[]> => {
      const { data } = await supabase
        .from('fan_lists')
        .select('id, name, rule, members_count')
        .abortSignal(signal)
        .throwOnError()
      return (data as unknown as FanList[]).toSorted((one, other) =>
        one.name.localeCompare(other.name, undefined, { numeric: true }),
      )
    },
  })

/** The ids of the lists that a fan was put on. */
export const listsOfFanQuery = (viewerId: string, fanId: string) =>
  queryOptions({
    queryKey: [...fansKey(viewerId), 'lists-of', fanId],
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await supabase
        .from('fan_list_members')
        .select('list_id')
        .eq('creator_id', viewerId)
        .eq('fan_id', fanId)
        .abortSignal(signal)
        .throwOnError()
      return data.map(({ list_id }) => list_id)
    },
  })

export type FanOrder = { sort: 'name' | 'since' | 'spent'; ascending: boolean }
export const startOrder: FanOrder = { sort: 'since', ascending: false }

/** The fans, or those on one list, page by page. */
export const fansQuery = (viewerId: string, list: string | null, search: string, { sort, ascending }: FanOrder) =>
  infiniteQueryOptions({
    queryKey: [...fansKey(viewerId), 'table', list, search, sort, ascending],
    staleTime: 0,
    initialPageParam: null as Fan | null,
    getNextPageParam: (page: Fan[]) => (page.length < fansPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<Fan[]> => {
      const { data } = await supabase
        .rpc(
          'get_fans',
          {
            ...(list && { list_id: list }),
            ...(search && { search }),
            sort,
            ascending,
            page_size: fansPageSize,
            ...(last && { after_value: last.position, after_id: last.fan_id }),
          },
          { get: true },
        )
        .abortSignal(signal)
        .throwOnError()
      return data as Fan[]
    },
  })

/** How many fans meet a rule now. */
export const audienceQuery = (viewerId: string, rule: Rule | null) =>
  queryOptions({
    queryKey: [...fansKey(viewerId), 'count', rule],
    enabled: rule !== null,
    queryFn: async ({ signal }): Promise<number> => {
      const { data } = await supabase
        .rpc('count_audience', { rule: rule as unknown as Json })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The rule of which a smart list is one condition: counts it as it is stored. */
export const ruleOfList = (list: string): Rule => ({ all: [{ condition: 'in_list', list }] })
