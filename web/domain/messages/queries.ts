import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { isId } from '../../lib/api/is-id.ts'
import { supabase } from '../../lib/api/supabase.ts'
import type { MediaPreview } from '../posts/queries.ts'
import { messagesKey } from './unread.ts'

/** A line of the conversation list: the other person, and the last message as the viewer may see it (MSG-03). */
export type Conversation = {
  other_id: string
  username: string
  display_name: string | null
  avatar_url: string | null
  is_verified: boolean
  /** Null when the person hides it (SET-19). */
  last_seen_at: string | null
  last_sender_id: string
  /** Null when locked. */
  last_content: string | null
  last_is_paid: boolean
  last_is_locked: boolean
  last_media_types: ('image' | 'video')[]
  last_message_at: string
  unread_count: number
  updated_at: string
}

/** A message as this viewer may see it: a locked one has neither its text nor its files (MSG-07, MSG-09). */
export type Message = {
  id: string
  sender_id: string
  recipient_id: string
  content: string | null
  is_paid: boolean
  /** Cents; 0 when it is free. */
  price: number
  is_read: boolean
  is_locked: boolean
  /** Paths in bucket `messages`; empty while locked. */
  media_urls: string[]
  media_types: ('image' | 'video')[]
  /** What is known of each file; while locked its length alone. */
  media_previews: MediaPreview[]
  created_at: string
}

export const messageColumns =
  'id, sender_id, recipient_id, content, is_paid, price, is_read, is_locked, media_urls, media_types, media_previews, created_at'
const conversationColumns = `other_id, username, display_name, avatar_url, is_verified, last_seen_at, last_sender_id,
  last_content, last_is_paid, last_is_locked, last_media_types, last_message_at, unread_count, updated_at`

const conversationsPageSize = 30
export const threadPageSize = 30

/** How often the online status is read: as often as clients send it. */
const presencePollMs = 60_000

/** The viewer's conversations, the last one written in first. The search matches the other person's name. */
export const conversationsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...messagesKey, 'conversations', search],
    refetchInterval: presencePollMs,
    initialPageParam: undefined as Conversation | undefined,
    getNextPageParam: (page: Conversation[]) => (page.length < conversationsPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<Conversation[]> => {
      const { data } = await supabase
        .rpc(
          'get_conversations',
          {
            page_size: conversationsPageSize,
            ...(search && { search }),
            ...(last && { before: last.last_message_at, before_id: last.other_id }),
          },
          { get: true },
        )
        .select(conversationColumns)
        .abortSignal(signal)
        .throwOnError()
      return data as Conversation[]
    },
  })

/** Where the next page of a thread begins: the oldest message known. */
export type Cursor = Pick<Message, 'created_at' | 'id'>

/** A page of the viewer's messages with one other person, newest first. */
export async function readThreadPage(otherId: string, before?: Cursor, signal?: AbortSignal): Promise<Message[]> {
  let request = supabase
    .rpc(
      'get_thread',
      {
        other_id: otherId,
        page_size: threadPageSize,
        ...(before && { before: before.created_at, before_id: before.id }),
      },
      { get: true },
    )
    .select(messageColumns)
  if (signal) request = request.abortSignal(signal)
  const { data } = await request.throwOnError()
  return data as Message[]
}

/** The thread with one other person, newest first, older pages as it is scrolled upward. */
export const threadQuery = (otherId: string) =>
  infiniteQueryOptions({
    queryKey: [...messagesKey, 'thread', otherId],
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: (page: Message[]) => (page.length < threadPageSize ? undefined : page.at(-1)),
    queryFn: ({ signal, pageParam }) => readThreadPage(otherId, pageParam, signal),
  })

/** Whom a thread is with. */
export type Person = Byline & {
  last_seen_at: string | null
  /** Whether the viewer may write to them (MSG-12, D9). */
  canMessage: boolean
}

/** The other person of a thread, by username or user id; `null` when there is none. */
export const personQuery = (address: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'person', address],
    refetchInterval: presencePollMs,
    queryFn: async ({ signal }): Promise<Person | null> => {
      const profiles = supabase.from('profiles').select(`${bylineColumns}, last_seen_at`)
      const { data: person } = await (isId(address)
        ? profiles.or(`user_id.eq.${address},id.eq.${address}`)
        : profiles.eq('username', address.toLowerCase())
      )
        .limit(1)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      if (!person) return null
      const { data: canMessage } = await supabase
        .rpc('can_message', { recipient_profile_id: person.id }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return { ...person, canMessage }
    },
  })
