import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import {
  type Conversation,
  type ConversationsShown,
  isWholeInbox,
  type Message,
  type Person,
} from '../../domain/messages/queries.ts'
import { messagesKey } from '../../domain/messages/unread.ts'
import { type Post, postsKey } from '../../domain/posts/queries.ts'
import { type Viewer, viewerKey } from '../../lib/auth/viewer.ts'
import type { Place } from '../../lib/browser/offline-data.ts'

/*
 * What stays readable without a connection (LOOP-22). All of it is text, with the paths of files but no links to them: signed links are a
 * key to a purchased file, and expire anyway.
 */

type Paged<Row> = InfiniteData<Row[]>

type Keeping<Data> = {
  kind: string
  /** The start of its query keys. What follows says which one it is. */
  prefix: QueryKey
  /** Names a query that is kept, by the rest of its key; null for one that isn't. A text names itself. */
  nameOf?: (rest: unknown) => string | null
  atMost: number
  /** A screen shows when it was last updated. */
  isScreen: boolean
  /** The part that is kept; null for what must not be. */
  part: (data: Data) => Data | null
}

const define = <Data>(keeping: Keeping<Data>): Keeping<unknown> => keeping as Keeping<unknown>

/** Its first pages. They are where the list begins, and the next page follows as before. */
const firstPages =
  (count: number) =>
  <Row>({ pages, pageParams }: Paged<Row>): Paged<Row> => ({
    pages: pages.slice(0, count),
    pageParams: pageParams.slice(0, count),
  })

const all: Keeping<unknown>[] = [
  define<Viewer | null>({ kind: 'viewer', prefix: viewerKey, atMost: 1, isScreen: false, part: (viewer) => viewer }),
  define<Paged<Post>>({ kind: 'feed', prefix: [...postsKey, 'feed'], atMost: 1, isScreen: true, part: firstPages(2) }),
  define<Post | null>({
    kind: 'posts',
    prefix: [...postsKey, 'one'],
    atMost: 50,
    isScreen: true,
    // Also when access to it has ended.
    part: (post) => (post?.is_locked ? null : post),
  }),
  define<Paged<Conversation>>({
    kind: 'conversations',
    prefix: [...messagesKey, 'conversations'],
    nameOf: (shown) => (isWholeInbox(shown as ConversationsShown) ? '' : null),
    atMost: 1,
    isScreen: true,
    part: firstPages(1),
  }),
  define<Paged<Message>>({
    kind: 'threads',
    prefix: [...messagesKey, 'thread'],
    atMost: 20,
    isScreen: true,
    part: firstPages(1),
  }),
  define<Person | null>({
    kind: 'people',
    prefix: [...messagesKey, 'person'],
    atMost: 20,
    isScreen: false,
    part: (person) => person,
  }),
]

const ownName = (rest: unknown): string | null => (typeof rest === 'string' ? rest : null)

/** How this query is kept, if it is. */
export function keepingOf(queryKey: QueryKey): (Pick<Keeping<unknown>, 'isScreen' | 'part'> & { place: Place }) | null {
  for (const { kind, prefix, nameOf = ownName, atMost, isScreen, part } of all) {
    if (!prefix.every((step, index) => queryKey[index] === step)) continue
    const [rest = ''] = queryKey.slice(prefix.length)
    const key = queryKey.length > prefix.length + 1 ? null : nameOf(rest)
    return key === null ? null : { place: { kind, key, atMost }, isScreen, part }
  }
  return null
}

/** A post of the kept feed, which opens offline too. */
export function findInFeed(feed: unknown, id: string): Post | null {
  const posts = (feed as Paged<Post> | undefined)?.pages.flat() ?? []
  return posts.find((post) => post.id === id && !post.is_locked) ?? null
}
