import type { QueryClient } from '@tanstack/react-query'
import { notificationsKey } from '../../domain/notifications/unread.ts'
import { type Filter, type List, notificationsQuery, readPage, takeInNewest } from './queries.ts'

/** Refetches the unread count and the newest notifications of the open list, however far it was scrolled. */
export async function refreshNotifications(queryClient: QueryClient): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: [...notificationsKey, 'unread'] })
  const lists = queryClient.getQueryCache().findAll({ queryKey: [...notificationsKey, 'list'] })
  await Promise.all(
    lists.map(async (list) => {
      // Others are read when they open.
      if (!list.isActive() || list.state.data === undefined) return list.invalidate()
      const filter = list.queryKey[2] as Filter
      try {
        const newest = await readPage(filter)
        queryClient.setQueryData<List>(
          notificationsQuery(filter).queryKey,
          (known) => known && takeInNewest(known, newest),
        )
      } catch {
        // Keep what is shown: the next live update or returning to the tab reads it again.
        list.invalidate()
      }
    }),
  )
}
