import { notificationsTexts } from '@ovation/contract/texts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { notificationsKey, unreadCountQuery } from '../../domain/notifications/unread.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { type Notification, notificationsQuery } from './queries.ts'

/** Marks as read and deletes, optimistically; refetches if the server rejects it (NOTI-05, NOTI-08..NOTI-11). */
export function useNotificationActions(profileId: string | undefined) {
  const queryClient = useQueryClient()

  const show = async (change: (list: Notification[]) => Notification[], fewerUnread: number) => {
    await queryClient.cancelQueries({ queryKey: notificationsKey })
    queryClient.setQueryData(notificationsQuery().queryKey, (list) => list && change(list))
    queryClient.setQueryData(unreadCountQuery(profileId ?? '').queryKey, (count) =>
      count === undefined ? count : Math.max(0, count - fewerUnread),
    )
  }
  const refresh = () => queryClient.invalidateQueries({ queryKey: notificationsKey })

  const markRead = async ({ id, creator_id, created_at }: Notification) => {
    await show((list) => list.map((one) => (one.id === id ? { ...one, is_read: true } : one)), 1)
    const { error } = await (creator_id
      ? // A post published since stays unread.
        supabase.rpc('read_new_posts', { creator_profile_id: creator_id, until: created_at })
      : supabase.from('notifications').update({ is_read: true }).eq('id', id))
    if (error) toast.error(notificationsTexts.markFailed)
    await refresh()
  }

  const markAllRead = async () => {
    if (!profileId) return
    await show((list) => list.map((one) => ({ ...one, is_read: true })), Number.POSITIVE_INFINITY)
    const [stored, newPosts] = await Promise.all([
      supabase.from('notifications').update({ is_read: true }).eq('user_id', profileId).eq('is_read', false),
      supabase.rpc('read_new_posts'),
    ])
    if (stored.error ?? newPosts.error) toast.error(notificationsTexts.markFailed)
    await refresh()
  }

  const remove = async ({ id, is_read, creator_id, created_at }: Notification) => {
    await show((list) => list.filter((one) => one.id !== id), is_read ? 0 : 1)
    const { error } = await (creator_id && !is_read
      ? supabase.rpc('dismiss_new_posts', { creator_profile_id: creator_id, until: created_at })
      : supabase.from('notifications').delete().eq('id', id))
    // NOTI-11: only logged; the refetched list still has it.
    if (error) console.warn('A notification could not be deleted:', error.message)
    await refresh()
  }

  return { markRead, markAllRead, remove }
}
