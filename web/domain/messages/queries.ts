import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { isId } from '../../lib/api/is-id.ts'
import { supabase } from '../../lib/api/supabase.ts'
import type { MediaPreview } from '../posts/queries.ts'
import { messagesKey } from './unread.ts'

/** An entry of the conversation list: the other user, and the last message as far as the viewer may see it (MSG-03). */
export type Conversation = {
  other_id: string
  username: string
  display_name: string | null
  avatar_url: string | null
  is_verified: boolean
  /** Null if the user hides it (SET-19). */
  last_seen_at: string | null
  last_sender_id: string
  /** Null if the message is locked. */
  last_content: string | null
  last_is_paid: boolean
  last_is_locked: boolean
  last_media_types: ('image' | 'video')[]
  last_message_at: string
  unread_count: number
  updated_at: string
}

/** A message as the viewer may see it: a locked one has no text and no file paths (MSG-07, MSG-09). */
export type Message = {
  id: string
  sender_id: string
  recipient_id: string
  content: string | null
  is_paid: boolean
  /** In cents; 0 if free. */
  price: number
  is_read: boolean
  is_locked: boolean
  /** Whether the recipient has unlocked it, if it is paid. Reading it doesn't. */
  is_unlocked: boolean
  /** Paths in bucket `messages`; empty while locked. */
  media_urls: string[]
  media_types: ('image' | 'video')[]
  /** The files' metadata; only the durations while locked. */
  media_previews: MediaPreview[]
  created_at: string
  /** It was unsent (INBOX-07). It keeps its place, because a page that isn't full is the last one, but isn't shown. */
  is_gone?: true
}

export const messageColumns =
  'id, sender_id, recipient_id, content, is_paid, price, is_read, is_locked, is_unlocked, media_urls, media_types, media_previews, created_at'
const conversationColumns = `other_id, username, display_name, avatar_url, is_verified, last_seen_at, last_sender_id,
  last_content, last_is_paid, last_is_locked, last_media_types, last_message_at, unread_count, updated_at`

const conversationsPageSize = 30
export const threadPageSize = 30

/** How often the online status is refetched: as often as clients report it. */
const presencePollMs = 60_000

/** The viewer's conversations, latest message first. The search matches the other user's name. */
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

/** The start of a thread's next page: the oldest loaded message. */
export type Cursor = Pick<Message, 'created_at' | 'id'>

/** A page of messages between the viewer and another user, newest first. */
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

const withoutGone = (thread: InfiniteData<Message[]>) => ({
  ...thread,
  pages: thread.pages.map((page) => page.filter(({ is_gone }) => !is_gone)),
})

/** The thread with another user, newest first; scrolling up loads older pages. */
export const threadQuery = (otherId: string) =>
  infiniteQueryOptions({
    queryKey: [...messagesKey, 'thread', otherId],
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: (page: Message[]) => (page.length < threadPageSize ? undefined : page.at(-1)),
    queryFn: ({ signal, pageParam }) => readThreadPage(otherId, pageParam, signal),
    select: withoutGone,
  })

/** The other user of a thread. */
export type Person = Byline & {
  last_seen_at: string | null
  /** Whether the viewer may message them (MSG-12, D9). */
  canMessage: boolean
}

async function readPerson(address: string, signal: AbortSignal) {
  const profiles = supabase.from('profiles').select(`${bylineColumns}, last_seen_at`)
  const { data } = await (isId(address)
    ? profiles.or(`user_id.eq.${address},id.eq.${address}`)
    : profiles.eq('username', address.toLowerCase())
  )
    .limit(1)
    .abortSignal(signal)
    .maybeSingle()
    .throwOnError()
  return data
}

/** The other user of a thread whose link has a former username (PAGE-02). */
async function readRenamedPerson(address: string, signal: AbortSignal) {
  if (isId(address)) return null
  const { readPresentUsername } = await import('../accounts/present-username.ts')
  const present = await readPresentUsername(address, signal)
  return present === null ? null : readPerson(present, signal)
}

/** The other user of a thread, by username or user id; `null` if there is none. */
export const personQuery = (address: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'person', address],
    refetchInterval: presencePollMs,
    queryFn: async ({ signal }): Promise<Person | null> => {
      const person = (await readPerson(address, signal)) ?? (await readRenamedPerson(address, signal))
      if (!person) return null
      const { data: canMessage } = await supabase
        .rpc('can_message', { recipient_profile_id: person.id }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return { ...person, canMessage }
    },
  })
