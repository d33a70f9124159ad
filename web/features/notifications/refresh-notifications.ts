import type { QueryClient } from '@tanstack/react-query'
import { notificationsKey } from '../../domain/notifications/unread.ts'
import { type Filter, type List, notificationsQuery, readPage, takeInNewest } from './queries.ts'

/** The mutation key of changes that the list shows before the server has confirmed them. */
export const changeKey = [...notificationsKey, 'change'] as const

let reading = new AbortController()

/** Drops what is being read: it may lack a change that the list shows already. */
export function cancelRefresh(): void {
  reading.abort()
  reading = new AbortController()
}

/**
 * Refetches the unread count and the newest notifications of the open list, however far it was scrolled. Not before the server has
 * confirmed all changes, because a deleted notification would come back: the last change refetches for the others.
 */
export async function refreshNotifications(queryClient: QueryClient): Promise<void> {
  if (queryClient.isMutating({ mutationKey: changeKey }) > 0) return
  cancelRefresh()
  const { signal } = reading
  void queryClient.invalidateQueries({ queryKey: [...notificationsKey, 'unread'] })
  const lists = queryClient.getQueryCache().findAll({ queryKey: [...notificationsKey, 'list'] })
  await Promise.all(
    lists.map(async (list) => {
      // Others are read when they open.
      if (!list.isActive() || list.state.data === undefined) return list.invalidate()
      const filter = list.queryKey[2] as Filter
      try {
        const newest = await readPage(filter, undefined, signal)
        if (signal.aborted) return
        queryClient.setQueryData<List>(
          notificationsQuery(filter).queryKey,
          (known) => known && takeInNewest(known, newest),
        )
      } catch {
        // Keep what is shown: the next live update or returning to the tab reads it again.
        if (!signal.aborted) list.invalidate()
      }
    }),
  )
}
