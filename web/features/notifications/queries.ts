import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { notificationsKey } from '../../domain/notifications/unread.ts'
import type { MediaPreview } from '../../domain/posts/queries.ts'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { keysetCursor } from '../../lib/api/keyset-cursor.ts'
import { supabase } from '../../lib/api/supabase.ts'

export type Notification = {
  id: string
  type: string
  title: string
  message: string
  is_read: boolean
  created_at: string
  /** The embedded poll (DATA-12). */
  poll_id: string | null
  /** The post that it is about. */
  post_id?: string | null
  /** The user who caused it. */
  profile_id?: string | null
  booking_id?: string | null
  /** The code of a gift to the viewer. */
  gift_code?: string | null
  product_id?: string | null
  /** The viewer's own goal. */
  goal_id?: string | null
  /** The kind of a grouped notification, and its post. */
  group?: string | null
  /** Set for unread new posts of a creator, which have no row. */
  creator_id?: string
  /** Undefined when there is none, or when the viewer can't see them. */
  actor?: Byline | undefined
  post?: NotifiedPost | undefined
}

/** What a notification shows of a post: its first picture. */
export type NotifiedPost = {
  id: string
  media_urls: string[]
  media_types: ('image' | 'video')[]
  media_previews: MediaPreview[]
}

/** Kinds of notifications to choose from (LOOP-17). */
export const filters = ['all', 'posts', 'mentions', 'money'] as const
export type Filter = (typeof filters)[number]

export type NotificationPage = {
  stored: Notification[]
  /** Unread new posts, one for each creator (LOOP-02). Only on the first page. */
  newPosts: Notification[]
  /** Where the next page begins, if there may be one. */
  next: Cursor | undefined
}
export type List = InfiniteData<NotificationPage, Cursor | undefined>
type Cursor = Pick<Notification, 'id' | 'created_at'>

const pageSize = 50
const moneyTypes = ['tip', 'payment', 'subscription'] as const
/** Of those with a post. A payment for a post is about money. */
const postTypes = ['like', 'other'] as const

/** The viewer's notifications, newest first (API-REST-13), with those about new posts (LOOP-02). Row-level security limits them to the viewer's own. */
export const notificationsQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [...notificationsKey, 'list', filter],
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: ({ next }: NotificationPage) => next,
    queryFn: ({ signal, pageParam }) => readPage(filter, pageParam, signal),
  })

export async function readPage(filter: Filter, after?: Cursor, signal?: AbortSignal): Promise<NotificationPage> {
  const hasNewPosts = after === undefined && (filter === 'all' || filter === 'posts')
  const [stored, newPosts] = await Promise.all([
    readStored(filter, after, signal),
    hasNewPosts ? readNewPosts(signal) : [],
  ])
  const [actors, posts] = await Promise.all([
    readActors([...stored, ...newPosts], signal),
    readPosts([...stored, ...newPosts], signal),
  ])
  const complete = (one: Notification): Notification => ({
    ...one,
    actor: one.profile_id ? actors.get(one.profile_id) : undefined,
    post: one.post_id ? posts.get(one.post_id) : undefined,
  })
  return {
    stored: stored.map(complete),
    newPosts: newPosts.map(complete),
    next: stored.length < pageSize ? undefined : stored.at(-1),
  }
}

async function readStored(filter: Filter, after?: Cursor, signal?: AbortSignal): Promise<Notification[]> {
  let query = supabase
    .from('notifications')
    .select(
      'id, type, title, message, is_read, created_at, poll_id, post_id:data->>post_id, profile_id:data->>profile_id, booking_id:data->>booking_id, gift_code:data->>gift_code, product_id:data->>product_id, goal_id:data->>goal_id, group:data->>group',
    )
  if (filter === 'money') query = query.in('type', moneyTypes)
  if (filter === 'posts') query = query.in('type', postTypes).not('data->>post_id', 'is', null)
  // What others wrote to the viewer: the comments on a post, which are one group.
  if (filter === 'mentions') query = query.like('data->>group', 'comment:%')
  // The first condition finds the place in the index, and the second one breaks ties.
  if (after) query = query.lte('created_at', after.created_at).or(keysetCursor(after))
  query = query.order('created_at', { ascending: false }).order('id', { ascending: false }).limit(pageSize)
  if (signal) query = query.abortSignal(signal)
  const { data } = await query.throwOnError()
  return data
}

async function readNewPosts(signal?: AbortSignal): Promise<Notification[]> {
  let query = supabase.rpc('get_new_posts', undefined, { get: true })
  if (signal) query = query.abortSignal(signal)
  const { data } = await query.throwOnError()
  return data.map(({ creator_id, post_id, title, message, published_at }) => ({
    id: `new posts of ${creator_id}`,
    type: 'other',
    title,
    message,
    is_read: false,
    created_at: published_at,
    poll_id: null,
    post_id,
    profile_id: creator_id,
    creator_id,
  }))
}

/** Faces are an addition: without them, the notifications are still there. */
async function readActors(rows: Notification[], signal?: AbortSignal): Promise<ReadonlyMap<string, Byline>> {
  const ids = idsOf(rows, 'profile_id')
  if (ids.length === 0) return new Map()
  let query = supabase.from('profiles').select(bylineColumns).in('id', ids)
  if (signal) query = query.abortSignal(signal)
  const { data } = await query
  return new Map(data?.map((profile) => [profile.id, profile]))
}

/** Thumbnails, which are an addition as well. */
async function readPosts(rows: Notification[], signal?: AbortSignal): Promise<ReadonlyMap<string, NotifiedPost>> {
  const ids = idsOf(rows, 'post_id')
  if (ids.length === 0) return new Map()
  let query = supabase.from('posts').select('id, media_urls, media_types, media_previews').in('id', ids)
  if (signal) query = query.abortSignal(signal)
  const { data } = await query.overrideTypes<NotifiedPost[], { merge: false }>()
  return new Map(data?.map((post) => [post.id, post]))
}

const idsOf = (rows: Notification[], column: 'profile_id' | 'post_id'): string[] => [
  ...new Set(rows.flatMap((row) => row[column] ?? [])),
]

/** The notifications of the loaded pages. Of new posts, those older than the last stored one are shown when its page has loaded. */
export function listOf({ pages }: Pick<List, 'pages'>, hasMore: boolean): Notification[] {
  const stored = pages.flatMap((page) => page.stored)
  const last = hasMore ? stored.at(-1) : undefined
  const newPosts = pages
    .flatMap((page) => page.newPosts)
    .filter(({ created_at }) => !last || Date.parse(created_at) >= Date.parse(last.created_at))
  return [...stored, ...newPosts].toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
}

/** Replaces the newest part of a list, instead of reading every page again. If they don't meet, the list starts over. */
export function takeInNewest(list: List, newest: NotificationPage): List {
  const fresh = new Set(newest.stored.map(({ id }) => id))
  const meets = list.pages.some((page) => page.stored.some(({ id }) => fresh.has(id)))
  if (!newest.next || !meets) return { pages: [newest], pageParams: [undefined] }
  const end = Date.parse(newest.next.created_at)
  // What is newer than that and isn't fresh has been deleted.
  const [first, ...older] = list.pages.map((page) => ({
    ...page,
    stored: page.stored.filter(({ id, created_at }) => !fresh.has(id) && Date.parse(created_at) <= end),
  }))
  const stored = [...newest.stored, ...(first?.stored ?? [])]
  return { ...list, pages: [{ ...newest, stored, next: first?.next }, ...older] }
}
