import { linksMax } from '@ovation/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/** In the order in which they follow from one another. */
export const linkFigures = [
  'visits',
  'sign_ups',
  'follows',
  'trials',
  'subscriptions',
  'purchases',
  'earned_cents',
] as const
export type LinkFigures = Record<(typeof linkFigures)[number], number>

/** A link of the viewer's with its figures in total (LINK-01). */
export type TrackingLink = LinkFigures & {
  id: string
  code: string
  name: string
  target: 'profile' | 'plan' | 'post' | 'product'
  /** Null for other targets, and if it is gone. */
  plan: { name: string } | null
  post_id: string | null
  product: { title: string } | null
  /** Null without a trial, as the two after it. */
  trial_days: number | null
  trial_limit: number | null
  trial_until: string | null
  trials_used: number | null
  is_archived: boolean
}
const columns =
  'id, code, name, target, plan:subscription_products(name), post_id, product:products(title), trial_days, trial_limit, trial_until, trials_used, is_archived, visits, sign_ups, follows, trials, subscriptions, purchases, earned_cents'

export const linksKey = (viewerId: string) => ['tracking-links', viewerId] as const

/** The viewer's links, newest first: all active ones, or the last archived ones. */
export const linksQuery = (viewerId: string, isArchived: boolean) =>
  queryOptions({
    queryKey: [...linksKey(viewerId), isArchived],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<TrackingLink[]> => {
      const { data } = await supabase
        .from('tracking_links')
        .select(columns)
        .eq('creator_id', viewerId)
        .eq('is_archived', isArchived)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(linksMax)
        .abortSignal(signal)
        .throwOnError()
      return data as unknown as TrackingLink[]
    },
  })

/** One of them; `null` if it isn't the viewer's. */
export const linkQuery = (viewerId: string, id: string) =>
  queryOptions({
    queryKey: [...linksKey(viewerId), 'one', id],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<TrackingLink | null> => {
      const { data } = await supabase
        .from('tracking_links')
        .select(columns)
        .eq('creator_id', viewerId)
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data as unknown as TrackingLink | null
    },
  })

/** Their names, also of archived ones, for rules and flows. */
export const linkNamesQuery = (viewerId: string) =>
  queryOptions({
    queryKey: [...linksKey(viewerId), 'names'],
    queryFn: async ({ signal }): Promise<{ id: string; name: string }[]> => {
      const { data } = await supabase
        .from('tracking_links')
        .select('id, name')
        .eq('creator_id', viewerId)
        .order('is_archived')
        .order('created_at', { ascending: false })
        .limit(500)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type LinkDay = LinkFigures & { day: string }

/** The days of a link on which something happened, latest first. */
export const linkDaysQuery = (viewerId: string, linkId: string, days: number) =>
  queryOptions({
    queryKey: [...linksKey(viewerId), 'days', linkId, days],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<LinkDay[]> => {
      const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
      const { data } = await supabase
        .from('tracking_link_days')
        .select('day, visits, sign_ups, follows, trials, subscriptions, purchases, earned_cents')
        .eq('link_id', linkId)
        .gte('day', from)
        .order('day', { ascending: false })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The subscribers who began in a month, and how many of them remain after 1, 2, 3, … months (LINK-04). */
export type LinkCohort = { month: string; subscribers: number; remaining: number[] }

export const linkRetentionQuery = (viewerId: string, linkId: string) =>
  queryOptions({
    queryKey: [...linksKey(viewerId), 'retention', linkId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<LinkCohort[]> => {
      const { data } = await supabase
        .rpc('get_link_retention', { link_id: linkId }, { get: true })
        .select('month, subscribers, remaining')
        .abortSignal(signal)
        .throwOnError()
      return data as unknown as LinkCohort[]
    },
  })
