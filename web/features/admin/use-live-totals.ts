import type { adminTexts } from '@ovation/contract/texts/admin'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { applicationsKey, applicationsQuery } from './application-queries.ts'
import { queuesKey, queuesQuery } from './queues.ts'
import { supportKey } from './support-queries.ts'
import { userCountQuery } from './user-queries.ts'

/** The number of rows in each tab, updated live (ADM-04). Of support requests, those that wait, as in the overview: resolved ones only pile up. */
export function useLiveTotals(): Record<keyof typeof adminTexts.tabs, number | undefined> {
  const queryClient = useQueryClient()
  const countAgain =
    (...keys: (readonly unknown[])[]) =>
    () => {
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
    }
  useLiveChange('creator_applications', '', countAgain(applicationsKey, queuesKey))
  useLiveChange('support_requests', '', countAgain(supportKey, queuesKey))
  // Only new profiles: follows change profiles too. The user list isn't refetched while an admin reads it.
  useLiveChange('profiles', '', countAgain(userCountQuery().queryKey), 'INSERT')
  return {
    pending: useInfiniteQuery(applicationsQuery('pending')).data?.pages.at(-1)?.total,
    reviewed: useInfiniteQuery(applicationsQuery('reviewed')).data?.pages.at(-1)?.total,
    // Deleting an account sends no event: the row that decides who may see it is gone.
    users: useQuery({ ...userCountQuery(), refetchInterval: 60_000 }).data,
    support: useQuery(queuesQuery()).data?.open_support_requests,
    notifications: undefined,
    polls: undefined,
  }
}
