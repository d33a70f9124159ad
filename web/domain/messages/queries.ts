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
  last_media_types: MessageFileType[]
  last_message_at: string
  unread_count: number
  updated_at: string
  is_pinned: boolean
  is_archived: boolean
  is_restricted: boolean
  /** Marked as unread by the viewer. */
  is_marked_unread: boolean
  is_subscriber: boolean
  /** When the other user wrote the first message that the viewer hasn't answered; null once it is answered. */
  waiting_since: string | null
  /** What the other user has paid the viewer, in cents. */
  spent: number
}

export const conversationFilters = [
  'all',
  'unread',
  'unanswered',
  'subscribers',
  'offers',
  'restricted',
  'archived',
] as const
export type ConversationFilter = (typeof conversationFilters)[number]
export const conversationSorts = ['newest', 'waiting', 'spending'] as const
export type ConversationSort = (typeof conversationSorts)[number]
export type ConversationsShown = {
  filter: ConversationFilter
  sort: ConversationSort
  search: string
  /** The id of a list of fans. */
  list: string | null
}
export const wholeInbox: ConversationsShown = { filter: 'all', sort: 'newest', search: '', list: null }
export const isWholeInbox = ({ filter, sort, search, list }: ConversationsShown): boolean =>
  filter === wholeInbox.filter && sort === wholeInbox.sort && search === '' && list === null

/** The kinds of files in messages; audio is a voice message (INBOX-05). */
export type MessageFileType = 'image' | 'video' | 'audio'

/** What the viewer may see of a message that another one replies to (INBOX-06): of a locked one, only whose it is. */
export type Quote = {
  sender_id: string
  is_locked: boolean
  /** Its beginning. */
  text?: string | undefined
  /** Its first file. */
  media_url?: string | undefined
  media_type?: MessageFileType | undefined
  preview?: string | undefined
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
  media_types: MessageFileType[]
  /** The files' metadata; only the durations while locked, except for the free preview. */
  media_previews: MediaPreview[]
  /** The position of the file that is shown before the purchase (INBOX-08), and its path. */
  preview_index: number | null
  preview_url: string | null
  /** The emoji with which each side reacts to it. */
  sender_reaction: string | null
  recipient_reaction: string | null
  /** The message that it replies to; without a `quote`, that one was unsent. */
  quoted_id: string | null
  quote: Quote | null
  /** The recipient's story that it replies to (STORY-02). */
  story_id: string | null
  /** Who wrote it: the sender, a member of their team, or an automation (INBOX-09). */
  author_kind: 'user' | 'team' | 'automation'
  /** The member's name; for the sender, also the automation's. Null for a user, and after the member's account was deleted. */
  author_name: string | null
  created_at: string
  /** It was unsent (INBOX-07). It keeps its place, because a page that isn't full is the last one, but isn't shown. */
  is_gone?: true
}

export const messageColumns = `id, sender_id, recipient_id, content, is_paid, price, is_read, is_locked, is_unlocked, media_urls,
  media_types, media_previews, preview_index, preview_url, sender_reaction, recipient_reaction, quoted_id, quote, story_id, author_kind,
  author_name, created_at`
const conversationColumns = `other_id, username, display_name, avatar_url, is_verified, last_seen_at, last_sender_id,
  last_content, last_is_paid, last_is_locked, last_media_types, last_message_at, unread_count, updated_at,
  is_pinned, is_archived, is_restricted, is_marked_unread, is_subscriber, waiting_since, spent`

const conversationsPageSize = 30
export const threadPageSize = 30

/** How often the online status is refetched: as often as clients report it. */
const presencePollMs = 60_000

export const conversationsKey = [...messagesKey, 'conversations'] as const

/** A page has so many rows, and the first one those that are pinned in addition. */
function startOfNextPage(page: Conversation[]): Conversation | undefined {
  const others = page.filter(({ is_pinned }) => !is_pinned)
  return others.length < conversationsPageSize ? undefined : others.at(-1)
}

/** The viewer's conversations, pinned ones first (INBOX-01). The search matches the other user's name. It and a list show pinned ones in their place. */
export const conversationsQuery = ({ filter, sort, search, list }: ConversationsShown) =>
  infiniteQueryOptions({
    queryKey: [...conversationsKey, { filter, sort, search, list }],
    refetchInterval: presencePollMs,
    initialPageParam: undefined as Conversation | undefined,
    getNextPageParam: (page: Conversation[]) =>
      search || list ? (page.length < conversationsPageSize ? undefined : page.at(-1)) : startOfNextPage(page),
    queryFn: async ({ signal, pageParam: last }): Promise<Conversation[]> => {
      const { data } = await supabase
        .rpc(
          'get_conversations',
          {
            page_size: conversationsPageSize,
            ...(filter !== 'all' && { filter }),
            ...(sort !== 'newest' && { sort }),
            ...(search && { search }),
            ...(list && { list_id: list }),
            ...(last && { before: last.last_message_at, before_id: last.other_id }),
            ...(last && sort === 'spending' && { before_spent: last.spent }),
            ...(last?.waiting_since && { before_waiting: last.waiting_since }),
          },
          { get: true },
        )
        .select(conversationColumns)
        .abortSignal(signal)
        .throwOnError()
      return data as Conversation[]
    },
  })

/** The viewer's conversation with one other user; `null` before the first message. */
export const conversationQuery = (otherId: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'conversation', otherId],
    queryFn: async ({ signal }): Promise<Conversation | null> => {
      const { data } = await supabase
        .rpc('get_conversation', { other_id: otherId }, { get: true })
        .select(conversationColumns)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data as Conversation | null
    },
  })

/** The start of a thread's next page: the oldest loaded message. */
export type Cursor = Pick<Message, 'created_at' | 'id'>

type PageOptions = { before?: Cursor | undefined; size?: number; signal?: AbortSignal }

/** A page of messages between the viewer and another user, newest first. @param options.size up to 100. */
export async function readThreadPage(
  otherId: string,
  { before, size = threadPageSize, signal }: PageOptions = {},
): Promise<Message[]> {
  let request = supabase
    .rpc(
      'get_thread',
      {
        other_id: otherId,
        page_size: size,
        ...(before && { before: before.created_at, before_id: before.id }),
      },
      { get: true },
    )
    .select(messageColumns)
  if (signal) request = request.abortSignal(signal)
  const { data } = await request.throwOnError()
  return data as Message[]
}

const withoutGone = <Param>(thread: InfiniteData<Message[], Param>) => ({
  ...thread,
  pages: thread.pages.map((page) => page.filter(({ is_gone }) => !is_gone)),
})

/** All that is read of the thread with another user. */
export const threadKey = (otherId: string) => [...messagesKey, 'thread', otherId] as const

/** The thread with another user, newest first; scrolling up loads older pages. */
export const threadQuery = (otherId: string) =>
  infiniteQueryOptions({
    queryKey: threadKey(otherId),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: (page: Message[]) => (page.length < threadPageSize ? undefined : page.at(-1)),
    queryFn: ({ signal, pageParam }) => readThreadPage(otherId, { before: pageParam, signal }),
    select: withoutGone,
  })

/** How many newer messages the first page has below the one at which a thread opens. */
const newerSize = 15

/** The messages around one, or those before or after a page. */
type AroundParam = { around: string } | { after: string } | { before: Cursor }

async function readAround(otherId: string, param: AroundParam, signal: AbortSignal): Promise<Message[]> {
  if ('before' in param) return readThreadPage(otherId, { before: param.before, signal })
  const ask = 'around' in param ? { older: threadPageSize, newer: newerSize } : { older: 0, newer: threadPageSize }
  const message_id = 'around' in param ? param.around : param.after
  const { data } = await supabase
    .rpc('get_thread_around', { other_id: otherId, message_id, ...ask }, { get: true })
    .select(messageColumns)
    .abortSignal(signal)
    .throwOnError()
  const rows = data as Message[]
  // The page before has the message itself.
  return 'after' in param ? rows.filter(({ id }) => id !== message_id) : rows
}

/** The thread at one of its messages, newest first, in both directions (INBOX-02). The first page is empty if that message was unsent. */
export const threadAroundQuery = (otherId: string, messageId: string) =>
  infiniteQueryOptions({
    queryKey: [...threadKey(otherId), messageId],
    initialPageParam: { around: messageId } as AroundParam,
    getNextPageParam: (page: Message[]): AroundParam | undefined => {
      const last = page.at(-1)
      return last && page.length >= threadPageSize ? { before: last } : undefined
    },
    getPreviousPageParam: (page: Message[], _pages, param): AroundParam | undefined => {
      const newest = page[0]
      const isFull =
        'around' in param ? page.findIndex(({ id }) => id === messageId) >= newerSize : page.length >= threadPageSize
      return newest && isFull ? { after: newest.id } : undefined
    },
    queryFn: ({ signal, pageParam }) => readAround(otherId, pageParam, signal),
    select: withoutGone,
  })

/** A message that a search found, with the other user of its thread (INBOX-02). */
export type FoundMessage = {
  id: string
  sender_id: string
  other_id: string
  username: string
  display_name: string | null
  avatar_url: string | null
  updated_at: string
  /** The text around the words. */
  excerpt: string
  created_at: string
}

const foundPageSize = 20

/** The viewer's messages with these words, newest first. @param withId only those with this user. */
export const foundMessagesQuery = (search: string, withId?: string) =>
  infiniteQueryOptions({
    queryKey: [...messagesKey, 'found', search, withId ?? null],
    initialPageParam: null as FoundMessage | null,
    getNextPageParam: (page: FoundMessage[]) => (page.length < foundPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<FoundMessage[]> => {
      const { data } = await supabase
        .rpc(
          'search_messages',
          {
            search,
            page_size: foundPageSize,
            ...(withId && { with_id: withId }),
            ...(last && { before: last.created_at, before_id: last.id }),
          },
          { get: true },
        )
        .abortSignal(signal)
        .throwOnError()
      return data as FoundMessage[]
    },
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
