import { queryOptions } from '@tanstack/react-query'
import { notificationsKey } from '../../domain/notifications/unread.ts'
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
  /** Set for unread new posts of a creator, which have no row. */
  creator_id?: string
}

/** The most that anyone scrolls through. Older ones no longer matter. */
const newest = 100

/** The viewer's notifications, newest first (API-REST-13), with those about new posts (LOOP-02). Row-level security limits them to the viewer's own. */
export const notificationsQuery = () =>
  queryOptions({
    queryKey: [...notificationsKey, 'list'],
    queryFn: async ({ signal }): Promise<Notification[]> => {
      const [stored, newPosts] = await Promise.all([
        supabase
          .from('notifications')
          .select('id, type, title, message, is_read, created_at, poll_id, post_id:data->>post_id')
          .order('created_at', { ascending: false })
          .limit(newest)
          .abortSignal(signal)
          .throwOnError(),
        supabase.rpc('get_new_posts', undefined, { get: true }).abortSignal(signal).throwOnError(),
      ])
      const unread = newPosts.data.map(({ creator_id, post_id, title, message, published_at }) => ({
        id: `new posts of ${creator_id}`,
        type: 'other',
        title,
        message,
        is_read: false,
        created_at: published_at,
        poll_id: null,
        post_id,
        creator_id,
      }))
      return [...stored.data, ...unread]
        .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
        .slice(0, newest)
    },
  })
