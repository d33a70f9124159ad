import { commonTexts } from '@ovation/contract/texts/common'
import { notifyManager, onlineManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { keepingOf } from './offline-queries.ts'

/** How often the server is tried while it can't be reached. Browsers often don't know that a connection is back. */
const retryMs = 10_000

export type Connection = {
  state: 'online' | 'offline' | 'unreachable'
  /** When the oldest part of the screen was read, in milliseconds; null if the screen has nothing to show. */
  updatedAt: number | null
}

/** Whether the screen is up to date. Without a connection, tries for one, and then reads the screen again. */
export function useConnection(): Connection {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const { isFailing, updatedAt } = useShownData()
  const state = !isOnline ? 'offline' : isFailing ? 'unreachable' : 'online'
  useRetry(state)
  return { state, updatedAt }
}

/** The kept queries of the screen: whether one couldn't be read again, and the age of the oldest. */
function useShownData(): { isFailing: boolean; updatedAt: number | null } {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)), [cache])
  const shown = useSyncExternalStore(subscribe, () => {
    const queries = cache.findAll({
      type: 'active',
      predicate: ({ queryKey }) => keepingOf(queryKey)?.isScreen ?? false,
    })
    const isFailing = queries.some(
      ({ state }) => state.status === 'error' && state.data !== undefined && isUnreachable(state.error),
    )
    const times = queries.flatMap(({ state }) => (state.data === undefined ? [] : [state.dataUpdatedAt]))
    return JSON.stringify({ isFailing, updatedAt: times.length > 0 ? Math.min(...times) : null })
  })
  return JSON.parse(shown)
}

const isUnreachable = (error: unknown): boolean => errorMessageOf(error) === commonTexts.offline

function useRetry(state: Connection['state']): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (state === 'online') return
    const retry = async () => {
      if (document.visibilityState === 'hidden') return
      if (state === 'offline') return (await canReachServer()) && onlineManager.setOnline(true)
      const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => keepingOf(queryKey) !== null
      await queryClient.refetchQueries({ type: 'active', predicate })
    }
    const timer = setInterval(() => void retry(), retryMs)
    return () => clearInterval(timer)
  }, [state, queryClient])
}

async function canReachServer(): Promise<boolean> {
  try {
    const response = await fetch('/app-config.json', { cache: 'no-store' })
    return response.ok && !response.headers.has('x-offline')
  } catch {
    return false
  }
}
