import { feedPageSize } from '@ovation/contract/limits'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Byline } from '../../lib/api/byline.ts'
import { keysetCursor } from '../../lib/api/keyset-cursor.ts'
import { supabase } from '../../lib/api/supabase.ts'
import type { PostPoll } from '../polls/queries.ts'
import { feedRequest } from './feed-request.ts'
import { postColumns } from './post-columns.ts'

export const postsKey = ['posts'] as const

/** The part of a picture that stays in view when it is cropped: fractions of its width and height, from the left and the top. */
export type Focus = { x: number; y: number }

/** Metadata of a file, which is public even while the post is locked. Unknown values are missing. */
export type MediaPreview = {
  /** A ThumbHash in base64. */
  preview?: string
  /** In pixels. */
  width?: number
  height?: number
  /** In seconds; only for videos and voice messages. */
  duration?: number
  /** True if the video has an HLS stream. */
  stream?: boolean
  /** Only for pictures whose creator has set it. */
  focus?: Focus
  /** A picture's alt text, if its creator has written one. A locked post doesn't have it. */
  alt?: string
  /** Languages of a video's captions (BCP 47). */
  captions?: string[]
  /** The loudness of the parts of a voice message: a byte each, in base64. */
  waveform?: string
}

/** A post as the viewer may see it: a locked one has 100 characters of text and no paths (POST-11, POST-46). */
export type Post = {
  id: string
  creator_id: string
  title: string | null
  content: string | null
  post_type: 'free' | 'subscription' | 'ppv'
  /** Storage paths in bucket `posts` (D23). Empty while locked. */
  media_urls: string[]
  /** One for each file, also while locked. */
  media_types: ('image' | 'video')[]
  /** One for each file, in order, also while locked (POST-10). */
  media_previews: MediaPreview[]
  /** Its free cover, in the public bucket `covers` (LOOP-14). */
  cover_path: string | null
  required_tier_id: string | null
  /** In cents. */
  ppv_price: number | null
  likes_count: number
  comments_count: number
  is_pinned: boolean
  is_locked: boolean
  /** An admin's note; null if there is none that the viewer may see (POST-13). */
  admin_note: string | null
  admin_note_is_public: boolean | null
  created_at: string
  creator: Byline
  /** Null if there is none, or while locked. */
  poll: PostPoll | null
  /** Why it is above newer posts of its list, in words. Set by the list. */
  mark?: string
}

/** JSON columns, with their types. */
type Previews = Pick<Post, 'media_previews'>

/** The last post of a page, after which the next one starts. The id breaks ties between posts of the same time. */
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

/**
 * A creator's pinned posts, newest first (POST-08, D28), and the featured one among them (PAGE-01). A list with one page, so that updates of
 * lists apply to it too.
 */
export const pinnedPostsQuery = (creatorId: string, featuredId: string | null) =>
  infiniteQueryOptions({
    queryKey: [...postsKey, 'of', creatorId, 'pinned', featuredId],
    initialPageParam: undefined,
    getNextPageParam: () => undefined, // the server accepts three pinned ones at most
    queryFn: async ({ signal }): Promise<Post[]> => {
      const posts = supabase.from('posts').select(postColumns).eq('creator_id', creatorId)
      const { data } = await (featuredId
        ? posts.or(`is_pinned.eq.true,id.eq.${featuredId}`)
        : posts.eq('is_pinned', true)
      )
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Previews[]>()
      return data
    },
  })

export type SavedPost = Post & { saved_at: string }

/** The viewer's saved posts, last saved first. Deleted posts disappear here too. */
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

/** One post; `null` if it doesn't exist or the viewer may not see it: the two look alike on purpose. */
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

/** A post's current number of comments; undefined if it can't be read, and then the count stays. */
export async function readCommentsCount(id: string): Promise<number | undefined> {
  const { data } = await supabase.from('posts').select('comments_count').eq('id', id).maybeSingle()
  return data?.comments_count ?? undefined
}
