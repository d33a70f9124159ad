import { notificationsTexts } from '@ovation/contract/texts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { notificationsKey, unreadCountQuery } from '../../domain/notifications/unread.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import type { List, Notification } from './queries.ts'
import { cancelRefresh, changeKey, refreshNotifications } from './refresh-notifications.ts'

type Change = {
  /** What the list shows at once. */
  rows: (rows: Notification[]) => Notification[]
  fewerUnread: number
  send: () => PromiseLike<{ error: Error | null }>
  onError: (error: Error) => void
}

/** Marks as read and deletes, optimistically; refetches if the server rejects it (NOTI-05, NOTI-08..NOTI-11). */
export function useNotificationActions(profileId: string | undefined) {
  const queryClient = useQueryClient()
  const rejected = useRef(false)

  const show = async ({ rows, fewerUnread }: Change) => {
    cancelRefresh()
    await queryClient.cancelQueries({ queryKey: notificationsKey })
    queryClient.setQueriesData<List>(
      { queryKey: [...notificationsKey, 'list'] },
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({ ...page, stored: rows(page.stored), newPosts: rows(page.newPosts) })),
        },
    )
    queryClient.setQueryData(unreadCountQuery(profileId ?? '').queryKey, (count) =>
      count === undefined ? count : Math.max(0, count - fewerUnread),
    )
  }

  const make = async (change: Change) => {
    // Not `useMutation`: several changes run at the same time, and none has to render the screen.
    const mutation = queryClient.getMutationCache().build(queryClient, {
      mutationKey: changeKey,
      onMutate: () => show(change),
      mutationFn: async () => {
        const { error } = await change.send()
        if (error) throw error
      },
      onError: change.onError,
    })
    await mutation.execute(undefined).catch(() => {
      rejected.current = true
    })
    if (queryClient.isMutating({ mutationKey: changeKey }) > 0) return
    const restores = rejected.current
    rejected.current = false
    await (restores
      ? queryClient.invalidateQueries({ queryKey: notificationsKey }) // the list is shown as it was
      : refreshNotifications(queryClient))
  }

  const markFailed = () => toast.error(notificationsTexts.markFailed)

  const markRead = ({ id, creator_id, created_at }: Notification) =>
    make({
      rows: (rows) => rows.map((one) => (one.id === id ? { ...one, is_read: true } : one)),
      fewerUnread: 1,
      send: () =>
        creator_id
          ? // A post published since stays unread.
            supabase.rpc('read_new_posts', { creator_profile_id: creator_id, until: created_at })
          : supabase.from('notifications').update({ is_read: true }).eq('id', id),
      onError: markFailed,
    })

  const markAllRead = async () => {
    if (!profileId) return
    await make({
      rows: (rows) => rows.map((one) => ({ ...one, is_read: true })),
      fewerUnread: Number.POSITIVE_INFINITY,
      send: async () => {
        const [stored, newPosts] = await Promise.all([
          supabase.from('notifications').update({ is_read: true }).eq('user_id', profileId).eq('is_read', false),
          supabase.rpc('read_new_posts'),
        ])
        return { error: stored.error ?? newPosts.error }
      },
      onError: markFailed,
    })
  }

  const remove = ({ id, is_read, creator_id, created_at }: Notification) =>
    make({
      rows: (rows) => rows.filter((one) => one.id !== id),
      fewerUnread: is_read ? 0 : 1,
      send: () =>
        creator_id && !is_read
          ? supabase.rpc('dismiss_new_posts', { creator_profile_id: creator_id, until: created_at })
          : supabase.from('notifications').delete().eq('id', id),
      // NOTI-11: only logged; the refetched list still has it.
      onError: (error) => console.warn('A notification could not be deleted:', error.message),
    })

  return { markRead, markAllRead, remove }
}
