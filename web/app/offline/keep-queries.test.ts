import { onlineManager, QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { conversationsQuery, wholeInbox } from '../../domain/messages/queries.ts'
import { openOfflineData } from '../../lib/browser/offline-data.ts'
import { standInForCaches } from '../../testing/cache-storage.ts'
import { keepQueries } from './keep-queries.ts'

/** The part of a post that matters here. */
const post = (id: string, is_locked = false) => ({ id, is_locked, content: `Text of ${id}` })
const feedKey = ['posts', 'feed']
const inboxKey = (shown: object = {}): QueryKey => conversationsQuery({ ...wholeInbox, ...shown }).queryKey
const feed = (pages: unknown[][]) => ({ pages, pageParams: pages.map((_page, index) => index) })

const kept = () => openOfflineData({ userId: 'ada', isSignedIn: () => true, release: 'one' })
const ends: (() => void)[] = []
/** A tab whose queries are kept. */
function openTab() {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  queryClient.mount() // it follows the connection
  ends.push(keepQueries(queryClient, kept()), () => queryClient.unmount())
  return queryClient
}
/** Opens a screen with this query. @returns its state. */
function show(queryClient: QueryClient, queryKey: readonly unknown[], read: () => Promise<unknown>) {
  const observer = new QueryObserver(queryClient, { queryKey: [...queryKey], queryFn: read })
  ends.push(observer.subscribe(() => undefined))
  return () => observer.getCurrentResult()
}
const untilKept = (kind: string, key: string) =>
  eventually(async () => expect(await kept().read({ kind, key })).toBeDefined())

beforeEach(() => void standInForCaches())
afterEach(() => {
  for (const end of ends.splice(0)) end()
  onlineManager.setOnline(true)
  vi.unstubAllGlobals()
})

it('keeps what is read, and gives it to a tab that opens without a connection [LOOP-22]', async () => {
  const before = openTab()
  before.setQueryData(['posts', 'one', 'a'], post('a'))
  before.setQueryData(feedKey, feed([[post('b')], [post('c')], [post('d')]]))
  await untilKept('posts', 'a')
  await untilKept('feed', '')

  onlineManager.setOnline(false)
  const after = openTab()
  const read = vi.fn(async () => post('a'))
  const opened = show(after, ['posts', 'one', 'a'], read)
  const home = show(after, feedKey, async () => feed([]))
  await eventually(() => expect(opened().data).toEqual(post('a')))
  // The first two pages, where the feed begins.
  await eventually(() => expect(home().data).toEqual(feed([[post('b')], [post('c')]])))
  expect(opened()).toMatchObject({ status: 'success', fetchStatus: 'paused' })
  expect(read).not.toHaveBeenCalled()
  // A post of the feed opens, too.
  const fromFeed = show(after, ['posts', 'one', 'c'], read)
  await eventually(() => expect(fromFeed().data).toEqual(post('c')))

  onlineManager.setOnline(true)
  await eventually(() => expect(read).toHaveBeenCalled())
})

it('shows what is kept when the server can’t be reached, and still says that it failed', async () => {
  openTab().setQueryData(['posts', 'one', 'a'], post('a'))
  await untilKept('posts', 'a')
  const failed = show(openTab(), ['posts', 'one', 'a'], () => Promise.reject(new TypeError('Failed to fetch')))
  await eventually(() => expect(failed()).toMatchObject({ status: 'error', data: post('a') }))
})

it.each([
  ['has become locked', post('a', true)],
  ['has been deleted', null],
])('keeps no post that %s', async (_what, now) => {
  const queryClient = openTab()
  queryClient.setQueryData(['posts', 'one', 'a'], post('a'))
  await untilKept('posts', 'a')
  queryClient.setQueryData(['posts', 'one', 'a'], now)
  await eventually(async () => expect(await kept().read({ kind: 'posts', key: 'a' })).toBeUndefined())
})

it('keeps neither locked posts nor searches nor other queries, and nothing after it has ended', async () => {
  const queryClient = openTab()
  queryClient.setQueryData(['posts', 'one', 'locked'], post('locked', true))
  queryClient.setQueryData(inboxKey({ search: 'mara' }), feed([[{ id: 'found' }]]))
  queryClient.setQueryData(['earnings'], { cents: 100 })
  queryClient.setQueryData(inboxKey(), feed([[{ id: 'first' }]]))
  await untilKept('conversations', '')
  const cache = await caches.open('kept:ada')
  const addresses = (await cache.keys()).map(({ url }) => new URL(url).pathname)
  expect(addresses).toEqual(['/kept/conversations/'])

  vi.useFakeTimers()
  queryClient.setQueryData(['posts', 'one', 'late'], post('late'))
  for (const end of ends.splice(0)) end()
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  expect(await kept().read({ kind: 'posts', key: 'late' })).toBeUndefined()
})
