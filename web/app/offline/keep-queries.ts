import type { Query, QueryClient } from '@tanstack/react-query'
import type { Kept, OfflineData } from '../../lib/browser/offline-data.ts'
import { findInFeed, keepingOf } from './offline-queries.ts'

/** Several answers arrive together, and live messages one after the other. */
const pauseMs = 300

/**
 * Keeps the queries of offline-queries.ts as they are read, and gives them back to screens that can't read them: without a connection, or
 * because the server can't be reached. A query that was given back counts as failed or waiting as before, and is read again as such.
 * @returns a function that ends it.
 */
export function keepQueries(queryClient: QueryClient, kept: OfflineData): () => void {
  const cache = queryClient.getQueryCache()
  const changed = new Set<Query>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false

  async function keep(query: Query): Promise<void> {
    const keeping = keepingOf(query.queryKey)
    const { data, dataUpdatedAt } = query.state
    if (!keeping || data === undefined) return
    const part = data === null ? null : keeping.part(data)
    if (part === null) await kept.forget(keeping.place)
    else await kept.write(keeping.place, { data: part, updatedAt: dataUpdatedAt })
  }

  function keepSoon(query: Query): void {
    changed.add(query)
    timer ??= setTimeout(async () => {
      timer = undefined
      const queries = [...changed]
      changed.clear()
      for (const each of queries) if (!hasEnded) await keep(each)
    }, pauseMs)
  }

  async function giveBack(query: Query): Promise<void> {
    const keeping = keepingOf(query.queryKey)
    if (!keeping) return
    const found = (await kept.read(keeping.place)) ?? (await findElsewhere(keeping.place))
    // It may have arrived meanwhile.
    if (!found || hasEnded || query.state.data !== undefined || !isUnread(query)) return
    const { data, updatedAt } = found
    query.setState({ ...query.state, data, dataUpdatedAt: updatedAt, ...(query.state.status === 'pending' && success) })
  }

  async function findElsewhere({ kind, key }: { kind: string; key: string }): Promise<Kept | undefined> {
    if (kind !== 'posts') return undefined
    const feed = await kept.read({ kind: 'feed', key: '' })
    const post = feed && findInFeed(feed.data, key)
    return post ? { data: post, updatedAt: feed.updatedAt } : undefined
  }

  const consider = (query: Query) => {
    if (isUnread(query) && keepingOf(query.queryKey)) void giveBack(query)
  }
  const stop = cache.subscribe((event) => {
    if (event.type !== 'updated') return
    if (event.action.type === 'success' && keepingOf(event.query.queryKey)) keepSoon(event.query)
    else if (event.action.type !== 'setState') consider(event.query)
  })
  void kept.tidy()
  for (const query of cache.getAll()) {
    if (query.state.data !== undefined && query.state.status === 'success' && keepingOf(query.queryKey)) keepSoon(query)
    else consider(query)
  }

  return () => {
    hasEnded = true
    clearTimeout(timer)
    stop()
  }
}

const success = { status: 'success', error: null } as const

/** Whether a query has nothing to show, and won't have until the connection returns. */
const isUnread = ({ state: { data, status, fetchStatus } }: Query): boolean =>
  data === undefined && (fetchStatus === 'paused' || status === 'error')
