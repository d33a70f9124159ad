import type { Database } from '@ovation/contract/database'
import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../../lib/api/supabase.ts'
import { formatCents, pluralize } from '../../../lib/format/format-number.ts'
import { dashboardKey, fresh } from '../query-parts.ts'
import type { Period } from './period.ts'
import type { Mark } from './plot.ts'

type Functions = Database['public']['Functions']
export type SubscriberDay = Functions['get_subscriber_series']['Returns'][number]
export type SubscriberGroup = Functions['get_subscriber_groups']['Returns'][number]
export type SubscriberCohort = Functions['get_subscriber_retention']['Returns'][number]
export type SubscriberWorth = Functions['get_subscriber_values']['Returns'][number]

const key = (profileId: string) => [...dashboardKey(profileId), 'analytics'] as const
const daysOf = ({ from, to, zone }: Period) => ({ from_day: from, to_day: to, time_zone: zone })

/** An empty value is no link. */
export type Filter = { dimension: 'plan' | 'source' | 'link'; value: string }

/** Each day of a period with that of the previous one (STATX-01). */
export const seriesQuery = (profileId: string, period: Period, filter: Filter | null) =>
  queryOptions({
    ...fresh,
    queryKey: [...key(profileId), 'series', daysOf(period), filter],
    queryFn: async ({ signal }): Promise<SubscriberDay[]> => {
      const { data } = await supabase
        .rpc('get_subscriber_series', {
          creator_profile_id: profileId,
          ...daysOf(period),
          ...(filter && { dimension: filter.dimension, member: filter.value }),
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The period by plan, source, and link. */
export const groupsQuery = (profileId: string, period: Period) =>
  queryOptions({
    ...fresh,
    queryKey: [...key(profileId), 'groups', daysOf(period)],
    queryFn: async ({ signal }): Promise<SubscriberGroup[]> => {
      const { data } = await supabase
        .rpc('get_subscriber_groups', { creator_profile_id: profileId, ...daysOf(period) })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export const retentionQuery = (profileId: string, zone: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...key(profileId), 'retention', zone],
    queryFn: async ({ signal }): Promise<SubscriberCohort[]> => {
      const { data } = await supabase
        .rpc('get_subscriber_retention', { creator_profile_id: profileId, time_zone: zone })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export const valuesQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...key(profileId), 'values'],
    queryFn: async ({ signal }): Promise<SubscriberWorth[]> => {
      const { data } = await supabase
        .rpc('get_subscriber_values', { creator_profile_id: profileId })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

const { price, message, fan } = analyticsTexts.marks

/** The server sends up to 80 characters. */
const shorten = (text: string): string => (text.length < 80 ? text : `${text.slice(0, 79).trimEnd()}…`)

/** Price changes and mass messages of a period, in words. Charts show without them if they can't be read. */
export const marksQuery = (profileId: string, period: Period) =>
  queryOptions({
    ...fresh,
    queryKey: [...key(profileId), 'marks', daysOf(period)],
    queryFn: async ({ signal }): Promise<Mark[]> => {
      const { data } = await supabase
        .rpc('get_analytics_marks', { creator_profile_id: profileId, ...daysOf(period) })
        .abortSignal(signal)
        .throwOnError()
      return data.map(({ day, kind, name, from_cents, to_cents, recipients }) => ({
        day: String(day),
        name:
          kind === 'price'
            ? price(String(name), formatCents(Number(from_cents)), formatCents(Number(to_cents)))
            : message(pluralize(Number(recipients), fan), shorten(String(name))),
      }))
    },
  })
