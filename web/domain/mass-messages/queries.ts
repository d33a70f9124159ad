import type { Json } from '@ovation/contract/database'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import type { Fan } from '../fans/list-queries.ts'
import type { SavedFile } from '../messages/saved-replies.ts'
import type { Audience } from './audience.ts'

/** Where a mass message is in its life. */
export type MassStatus = 'draft' | 'scheduled' | 'sending' | 'sent' | 'ended' | 'unsent'
export const massKinds = ['history', 'scheduled', 'draft'] as const
export type MassKind = (typeof massKinds)[number]

export type MassFile = SavedFile & {
  preview: string | null
  duration: number | null
  /** Only of a file that was just chosen. */
  width?: number | null
  height?: number | null
}

/** A mass message of the viewer, with what became of its copies. Amounts are in cents. */
export type MassMessage = {
  id: string
  content: string
  /** Null for a free message. */
  price_cents: number | null
  file_ids: string[]
  /** Those of them that are still in the vault. */
  files: MassFile[]
  /** Of `file_ids`. */
  preview_index: number | null
  audience: Audience
  skip_owners: boolean
  /** Leaves out fans who got another mass message within so many hours. */
  skip_recent_hours: number | null
  time_zone: string | null
  scheduled_at: string | null
  ends_at: string | null
  status: MassStatus
  /** How many get it; null until the sending begins. */
  recipients_count: number | null
  sent_count: number
  created_at: string
  updated_at: string
  sent_at: string | null
  delivered: number
  viewed: number
  purchased: number
  earned_cents: number
}

export const massMessagesKey = (profileId: string) => ['mass-messages', profileId] as const

const pageSize = 20
/** How often the progress of a sending is read. */
const sendingPollMs = 2_000
/** How often it is read whether a scheduled message was sent. */
const scheduledPollMs = 30_000

/** What a page begins after. */
const timeOf: Readonly<Record<MassKind, (message: MassMessage) => string>> = {
  draft: ({ updated_at }) => updated_at,
  scheduled: ({ scheduled_at, updated_at }) => scheduled_at ?? updated_at,
  history: ({ sent_at, updated_at }) => sent_at ?? updated_at,
}

/** The viewer's mass messages, page by page: the newest first, and the next one to be sent. */
export const massMessagesQuery = (profileId: string, kind: MassKind) =>
  infiniteQueryOptions({
    queryKey: [...massMessagesKey(profileId), 'list', kind],
    staleTime: 0,
    initialPageParam: null as MassMessage | null,
    getNextPageParam: (page: MassMessage[]) => (page.length < pageSize ? undefined : page.at(-1)),
    refetchInterval: ({ state }) => {
      if (state.data?.pages.flat().some(({ status }) => status === 'sending')) return sendingPollMs
      return kind === 'scheduled' ? scheduledPollMs : false
    },
    queryFn: async ({ signal, pageParam: last }): Promise<MassMessage[]> => {
      const after = last && { after_at: timeOf[kind](last), after_id: last.id }
      const { data } = await supabase
        .rpc('get_mass_messages', { kind, page_size: pageSize, ...after }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as unknown as MassMessage[]
    },
  })

/** One of them, for the composer, which keeps what it begins with; null if there is none. It is forgotten with the composer. */
export const massMessageQuery = (profileId: string, id: string) =>
  queryOptions({
    queryKey: [...massMessagesKey(profileId), 'one', id],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<MassMessage | null> => {
      const { data, error } = await supabase
        .rpc('get_mass_message', { mass_message_id: id }, { get: true })
        .abortSignal(signal)
      if (error?.code === 'PT404') return null
      if (error) throw error
      return data as unknown as MassMessage
    },
  })

/** Who gets a mass message. */
export type Recipients = {
  audience: Audience
  fileIds: string[]
  skipOwners: boolean
  skipRecentHours: number | null
}

/** How many fans would get a mass message now. */
export const recipientsCountQuery = (profileId: string, recipients: Recipients) =>
  queryOptions({
    queryKey: [...massMessagesKey(profileId), 'count', recipients],
    enabled: recipients.audience.include.length > 0,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<number> => {
      const { audience, fileIds, skipOwners, skipRecentHours } = recipients
      const { data } = await supabase
        .rpc('count_mass_recipients', {
          audience: audience as unknown as Json,
          file_ids: fileIds,
          skip_owners: skipOwners,
          ...(skipRecentHours !== null && { skip_recent_hours: skipRecentHours }),
        })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export const figures = ['delivered', 'viewed', 'purchased'] as const
export type Figure = (typeof figures)[number]
const fansPageSize = 50

/** The fans behind a figure of a mass message. */
export const massMessageFansQuery = (profileId: string, id: string, figure: Figure) =>
  infiniteQueryOptions({
    queryKey: [...massMessagesKey(profileId), 'fans', id, figure],
    staleTime: 0,
    initialPageParam: null as Fan | null,
    getNextPageParam: (page: Fan[]) => (page.length < fansPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<Fan[]> => {
      const { data } = await supabase
        .rpc(
          'get_mass_message_fans',
          { mass_message_id: id, which: figure, page_size: fansPageSize, ...(last && { after_id: last.fan_id }) },
          { get: true },
        )
        .abortSignal(signal)
        .throwOnError()
      return data as Fan[]
    },
  })

/** How many fans have muted the viewer's offers (MASS-05). */
export const offerMutesQuery = (profileId: string) =>
  queryOptions({
    queryKey: [...massMessagesKey(profileId), 'mutes'],
    queryFn: async ({ signal }): Promise<number> => {
      const { data } = await supabase
        .rpc('count_offer_mutes', undefined, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
