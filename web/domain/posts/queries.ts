import { feedPageSize } from '@ovation/contract/limits'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Byline } from '../../lib/api/byline.ts'
import { keysetCursor } from '../../lib/api/keyset-cursor.ts'
import { supabase } from '../../lib/api/supabase.ts'
import type { PostPoll } from '../polls/queries.ts'
import { feedRequest } from './feed-request.ts'
import { postColumns } from './post-columns.ts'

export const postsKey = ['posts'] as const

/** What anybody may know of a file, locked or not; a key is missing while it is not known. */
export type MediaPreview = {
  /** A ThumbHash in base64. */
  preview?: string
  /** Pixels. */
  width?: number
  height?: number
  /** Of a video, in seconds. */
  duration?: number
  /** True when a video plays as HLS. */
  stream?: boolean
  /** Languages of a video's captions (BCP 47). */
  captions?: string[]
}

/** A post as this viewer may see it: a locked one has 100 characters of content and no paths (POST-11, POST-46). */
export type Post = {
  id: string
  creator_id: string
  title: string | null
  content: string | null
  post_type: 'free' | 'subscription' | 'ppv'
  /** Storage paths in bucket `posts` (D23). Empty while locked. */
  media_urls: string[]
  /** One for each file; there even while locked. */
  media_types: ('image' | 'video')[]
  /** One for each file, in its order; there even while locked (POST-10). */
  media_previews: MediaPreview[]
  required_tier_id: string | null
  /** Cents. */
  ppv_price: number | null
  likes_count: number
  comments_count: number
  is_pinned: boolean
  is_locked: boolean
  /** An admin's note; null when there is none for this viewer (POST-13). */
  admin_note: string | null
  admin_note_is_public: boolean | null
  created_at: string
  creator: Byline
  /** What the post asks; null when it asks nothing, or is locked. */
  poll: PostPoll | null
}

/** What the schema calls JSON. */
type Previews = Pick<Post, 'media_previews'>

/** The last post of a page, where the next one starts. The id breaks ties between posts of the same time. */
export type Cursor = Pick<Post, 'created_at' | 'id'>

const nextCursor = (page: Post[]): Cursor | undefined => (page.length < feedPageSize ? undefined : page.at(-1))

export async function readFeedPage(before?: Cursor, signal?: AbortSignal): Promise<Post[]> {
  let page = supabase
    .rpc(
      feedRequest.rpc,
      { ...feedRequest.args, ...(before && { before: before.created_at, before_id: before.id }) },
      { get: true },
    )
    .select(feedRequest.columns)
  if (signal) page = page.abortSignal(signal)
  const { data } = await page.throwOnError().overrideTypes<Previews[]>()
  return data
}

/** Posts of followed creators and the viewer's own, newest first, in pages of 20 (HOME-04, HOME-05). */
export const feedQuery = () =>
  infiniteQueryOptions({
    queryKey: [...postsKey, 'feed'],
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: nextCursor,
    queryFn: ({ signal, pageParam }) => readFeedPage(pageParam, signal),
  })

/** One creator's posts, newest first (API-REST-24). */
export const creatorPostsQuery = (creatorId: string) =>
  infiniteQueryOptions({
    queryKey: [...postsKey, 'of', creatorId],
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: nextCursor,
    queryFn: async ({ signal, pageParam }): Promise<Post[]> => {
      let query = supabase.from('posts').select(postColumns).eq('creator_id', creatorId)
      if (pageParam) query = query.or(keysetCursor(pageParam))
      const { data } = await query
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(feedPageSize)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Previews[]>()
      return data
    },
  })

/** What a creator has pinned, newest first (POST-08, D28). A list of one page: a like or a deletion changes it as it does the others. */
export const pinnedPostsQuery = (creatorId: string) =>
  infiniteQueryOptions({
    queryKey: [...postsKey, 'of', creatorId, 'pinned'],
    initialPageParam: undefined,
    getNextPageParam: () => undefined, // the server takes no fourth
    queryFn: async ({ signal }): Promise<Post[]> => {
      const { data } = await supabase
        .from('posts')
        .select(postColumns)
        .eq('creator_id', creatorId)
        .eq('is_pinned', true)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Previews[]>()
      return data
    },
  })

export type SavedPost = Post & { saved_at: string }

/** The viewer's saved posts, the last saved first. Deleted posts disappear from here too. */
export const savedQuery = (viewerId: string) =>
  infiniteQueryOptions({
    queryKey: [...postsKey, 'saved', viewerId],
    initialPageParam: undefined as SavedPost | undefined,
    getNextPageParam: (page: SavedPost[]) => (page.length < feedPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<SavedPost[]> => {
      let query = supabase
        .from('bookmarks')
        .select(`created_at, post:posts!inner(${postColumns})` as const)
        .eq('user_id', viewerId)
      if (pageParam) {
        const { saved_at, id } = pageParam
        query = query
          .lte('created_at', saved_at) // for the index
          .or(keysetCursor({ id, created_at: saved_at }, 'post_id'))
      }
      const { data } = await query
        .order('created_at', { ascending: false })
        .order('post_id', { ascending: false })
        .limit(feedPageSize)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<{ post: Previews }[]>()
      return data.map(({ created_at, post }) => ({ ...post, saved_at: created_at }))
    },
  })

/** One post by its address; `null` when it does not exist or is not for this viewer: the two look alike on purpose. */
export const postQuery = (id: string) =>
  queryOptions({
    queryKey: [...postsKey, 'one', id],
    queryFn: async ({ signal }): Promise<Post | null> => {
      const { data } = await supabase
        .from('posts')
        .select(postColumns)
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
        .overrideTypes<Previews>()
      return data
    },
  })

/** How many comments a post has now; undefined where that can't be read: then the count stays as it was. */
export async function readCommentsCount(id: string): Promise<number | undefined> {
  const { data } = await supabase.from('posts').select('comments_count').eq('id', id).maybeSingle()
  return data?.comments_count ?? undefined
}
