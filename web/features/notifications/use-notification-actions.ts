import { notificationsTexts } from '@ovation/contract/texts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { notificationsKey, unreadCountQuery } from '../../domain/notifications/unread.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import type { List, Notification } from './queries.ts'
import { refreshNotifications } from './refresh-notifications.ts'

/** Marks as read and deletes, optimistically; refetches if the server rejects it (NOTI-05, NOTI-08..NOTI-11). */
export function useNotificationActions(profileId: string | undefined) {
  const queryClient = useQueryClient()

  const show = async (change: (rows: Notification[]) => Notification[], fewerUnread: number) => {
    await queryClient.cancelQueries({ queryKey: notificationsKey })
    queryClient.setQueriesData<List>(
      { queryKey: [...notificationsKey, 'list'] },
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            stored: change(page.stored),
            newPosts: change(page.newPosts),
          })),
        },
    )
    queryClient.setQueryData(unreadCountQuery(profileId ?? '').queryKey, (count) =>
      count === undefined ? count : Math.max(0, count - fewerUnread),
    )
  }
  /** @param failed the list is shown as it was. */
  const settle = (failed: boolean) =>
    failed ? queryClient.invalidateQueries({ queryKey: notificationsKey }) : refreshNotifications(queryClient)

  const markRead = async ({ id, creator_id, created_at }: Notification) => {
    await show((rows) => rows.map((one) => (one.id === id ? { ...one, is_read: true } : one)), 1)
    const { error } = await (creator_id
      ? // A post published since stays unread.
        supabase.rpc('read_new_posts', { creator_profile_id: creator_id, until: created_at })
      : supabase.from('notifications').update({ is_read: true }).eq('id', id))
    if (error) toast.error(notificationsTexts.markFailed)
    await settle(Boolean(error))
  }

  const markAllRead = async () => {
    if (!profileId) return
    await show((rows) => rows.map((one) => ({ ...one, is_read: true })), Number.POSITIVE_INFINITY)
    const [stored, newPosts] = await Promise.all([
      supabase.from('notifications').update({ is_read: true }).eq('user_id', profileId).eq('is_read', false),
      supabase.rpc('read_new_posts'),
    ])
    const error = stored.error ?? newPosts.error
    if (error) toast.error(notificationsTexts.markFailed)
    await settle(Boolean(error))
  }

  const remove = async ({ id, is_read, creator_id, created_at }: Notification) => {
    await show((rows) => rows.filter((one) => one.id !== id), is_read ? 0 : 1)
    const { error } = await (creator_id && !is_read
      ? supabase.rpc('dismiss_new_posts', { creator_profile_id: creator_id, until: created_at })
      : supabase.from('notifications').delete().eq('id', id))
    // NOTI-11: only logged; the refetched list still has it.
    if (error) console.warn('A notification could not be deleted:', error.message)
    await settle(Boolean(error))
  }

  return { markRead, markAllRead, remove }
}
