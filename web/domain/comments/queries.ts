import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { hasData } from '../../lib/api/has-data.ts'
import { keysetCursor } from '../../lib/api/keyset-cursor.ts'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'

export type Comment = {
  id: string
  /** The comment that it replies to; null for one on the post. */
  parent_id: string | null
  content: string
  created_at: string
  likes_count: number
  is_pinned: boolean
  /** Waits for the creator's review. */
  is_held: boolean
  author: Byline
  /** The first ones, one more than are shown at first. Missing for a reply. */
  replies?: Comment[]
}
export type CommentOrder = 'newest' | 'oldest' | 'likes'

const columns = `id, parent_id, content, created_at, likes_count, is_pinned, is_held,
  author:profiles!user_id(${bylineColumns})` as const
export const commentsPageSize = 20
/** How many replies a comment shows at first. */
export const firstReplies = 3

const commentsKey = (postId: string) => ['comments', postId] as const

/** The rows after this one in an order. */
function cursorAfter({ id, created_at, likes_count }: Comment, order: CommentOrder): string {
  const dated = { id, created_at }
  if (order === 'newest') return keysetCursor(dated)
  if (order === 'oldest') return `created_at.gt."${created_at}",and(created_at.eq."${created_at}",id.gt.${id})`
  return `likes_count.lt.${likes_count},and(likes_count.eq.${likes_count},or(${keysetCursor(dated)}))`
}

/**
 * A post's comments in pages: first the pinned one, then by default the newest. The latest comments are the ones that still get replies,
 * and the viewer's own appears next to the form.
 */
export const commentsQuery = (postId: string, order: CommentOrder = 'newest') =>
  infiniteQueryOptions({
    queryKey: [...commentsKey(postId), order],
    initialPageParam: undefined as Comment | undefined,
    getNextPageParam: (page: Comment[]) => (page.length < commentsPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<Comment[]> => {
      let query = supabase
        .from('comments')
        .select(`${columns}, replies:comments!parent_id(${columns})` as const)
        .eq('post_id', postId)
        .is('parent_id', null)
      if (pageParam) query = query.or(cursorAfter(pageParam, order))
      // The pinned comment is on the first page, wherever the order would have it.
      if (pageParam) query = query.eq('is_pinned', false)
      else query = query.order('is_pinned', { ascending: false })
      if (order === 'likes') query = query.order('likes_count', { ascending: false })
      const ascending = order === 'oldest'
      const { data } = await query
        .order('created_at', { ascending })
        .order('id', { ascending })
        .order('created_at', { referencedTable: 'replies' })
        .order('id', { referencedTable: 'replies' })
        .limit(firstReplies + 1, { referencedTable: 'replies' })
        .limit(commentsPageSize)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Comment[], { merge: false }>()
      return data
    },
  })

/** All replies to a comment, oldest first. */
export const repliesQuery = (postId: string, parentId: string) =>
  infiniteQueryOptions({
    queryKey: [...commentsKey(postId), 'replies', parentId],
    initialPageParam: undefined as Comment | undefined,
    getNextPageParam: (page: Comment[]) => (page.length < commentsPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<Comment[]> => {
      let query = supabase.from('comments').select(columns).eq('parent_id', parentId)
      if (pageParam) query = query.or(cursorAfter(pageParam, 'oldest'))
      const { data } = await query
        .order('created_at')
        .order('id')
        .limit(commentsPageSize)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** Reads a post's comments again, with their replies. */
export const refreshComments = (queryClient: QueryClient, postId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: commentsKey(postId) })

type Cached = InfiniteData<Comment[], Comment | undefined>

/** Changes the lists of a post's comments that have loaded. @param list `replies` for the replies to one comment. */
export function changeLists(
  queryClient: QueryClient,
  postId: string,
  change: (page: Comment[], place: { index: number; last: boolean; repliesTo: string | undefined }) => Comment[],
): void {
  const lists = queryClient.getQueriesData<Cached>({ queryKey: commentsKey(postId) })
  for (const [queryKey, data] of lists) {
    if (!data) continue
    const repliesTo = queryKey[2] === 'replies' ? String(queryKey[3]) : undefined
    const pages = data.pages.map((page, index) =>
      change(page, { index, last: index === data.pages.length - 1, repliesTo }),
    )
    queryClient.setQueryData<Cached>(queryKey, { ...data, pages })
  }
}

/** Changes each comment and reply that has loaded; `undefined` removes it. */
export function changeComments(
  queryClient: QueryClient,
  postId: string,
  change: (comment: Comment) => Comment | undefined,
): void {
  const each = (comments: Comment[]): Comment[] =>
    comments.flatMap((comment) => {
      const changed = change(comment)
      if (!changed) return []
      return changed.replies ? { ...changed, replies: each(changed.replies) } : changed
    })
  changeLists(queryClient, postId, each)
}

/** Adds a comment (POST-56), or a reply (TALK-02), and returns the stored row. */
export async function addComment(
  postId: string,
  authorId: string,
  content: string,
  parentId: string | null,
): Promise<Comment> {
  const { data } = await supabase
    .from('comments')
    .insert({ post_id: postId, user_id: authorId, content, ...(parentId && { parent_id: parentId }) })
    .select(columns)
    .single()
    .throwOnError()
  return parentId ? data : { ...data, replies: [] }
}

/** Deletes the viewer's own comment, one under their post, or any as an admin (POST-57, POST-58, TALK-03). @throws when no row was deleted. */
export async function deleteComment(id: string): Promise<void> {
  const { count } = await supabase.from('comments').delete({ count: 'exact' }).eq('id', id).throwOnError()
  if (count === 0) throw new Error('nothing was deleted')
}

const likesKey = ['comment-likes'] as const
/** Those of these comments that the viewer likes. */
export const likedCommentsQuery = (viewerId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [...likesKey, viewerId, ids],
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await supabase
        .from('comment_likes')
        .select('comment_id')
        .eq('user_id', viewerId)
        .in('comment_id', [...ids])
        .abortSignal(signal)
        .throwOnError()
      return data.map(({ comment_id }) => comment_id)
    },
  })

/** Shows in each list whether the viewer likes a comment. A response that is on its way may be older. */
export function showLike(queryClient: QueryClient, viewerId: string, id: string, on: boolean): void {
  void queryClient.cancelQueries({ queryKey: likesKey, predicate: hasData })
  queryClient.setQueriesData<string[]>({ queryKey: [...likesKey, viewerId] }, (ids) => {
    const others = ids?.filter((other) => other !== id)
    return others && on ? [...others, id] : others
  })
}

export async function saveLike(viewerId: string, id: string, on: boolean): Promise<void> {
  const row = { comment_id: id, user_id: viewerId }
  const table = supabase.from('comment_likes')
  const { error } = await (on ? table.insert(row) : table.delete().match(row))
  if (error && error.code !== uniqueViolation) throw error
}

export type Commenters = 'everyone' | 'followers' | 'subscribers' | 'plan' | 'nobody'
export type CommentAccess = {
  commenters: Commenters
  plan_id: string | null
  plan_name: string | null
  may_comment: boolean
  is_default: boolean
}

/** Who may comment on a post, and whether the viewer may (TALK-02); null if the post can't be seen. */
export const commentAccessQuery = (postId: string, viewerId: string | undefined) =>
  queryOptions({
    queryKey: ['comment-access', postId, viewerId],
    queryFn: async ({ signal }): Promise<CommentAccess | null> => {
      const { data } = await supabase
        .rpc('get_comment_access', { post_id: postId }, { get: true })
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<CommentAccess[], { merge: false }>()
      return data[0] ?? null
    },
  })
