import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type Message, readThreadPage, threadKey, threadPageSize, threadQuery } from './queries.ts'
import { messagesKey } from './unread.ts'

type Thread = InfiniteData<Message[]>

/**
 * Merges the newest messages into an open thread. Known messages that should be among them and aren't are gone (INBOX-07). If there are more
 * new messages than were read, the thread starts over with them, and scrolling loads the rest: no message is skipped.
 * @param size how many the request named.
 */
export function takeInNewest(thread: Thread, newest: Message[], size = threadPageSize): Thread {
  const fresh = new Map(newest.map((message) => [message.id, message]))
  const known = thread.pages.flat()
  const meets = newest.length < size || known.some((message) => fresh.has(message.id))
  if (!meets) return { pages: [newest], pageParams: [undefined] }
  // Messages sent while the page was loading aren't on it, and are newer.
  const isAhead = ({ created_at }: Message) => newest[0] !== undefined && created_at > newest[0].created_at
  // Fewer than asked for are everything.
  const end = newest.length < size ? '' : (newest.at(-1)?.created_at ?? '')
  const isGone = (message: Message) => !isAhead(message) && message.created_at > end
  const [first = [], ...older] = thread.pages.map((page) =>
    page.map((message) => fresh.get(message.id) ?? (isGone(message) ? asGone(message) : message)),
  )
  const placed = new Set(older.flat().map(({ id }) => id))
  const rest = first.filter((message) => !fresh.has(message.id) && !isAhead(message))
  return {
    pages: [[...first.filter(isAhead), ...newest.filter(({ id }) => !placed.has(id)), ...rest], ...older],
    pageParams: thread.pageParams,
  }
}

const asGone = (message: Message): Message => ({ ...message, is_gone: true })

/** Continues a thread that was opened at an older message, and whose pages have reached the newest one, as the thread itself. */
export function joinThread(queryClient: QueryClient, otherId: string, pages: Message[][]): void {
  queryClient.setQueryData(threadQuery(otherId).queryKey, (thread) => {
    const joined: Thread = { pages, pageParams: pages.map(() => undefined) }
    const newest = thread?.pages[0]
    return newest?.length ? takeInNewest(joined, newest, newest.length) : joined
  })
}

/** Adds a message that was just sent, or updates it. */
export function putMessage(queryClient: QueryClient, otherId: string, message: Message): void {
  queryClient.setQueryData(threadQuery(otherId).queryKey, (thread) => {
    if (!thread) return thread
    const [first = [], ...older] = thread.pages.map((page) => page.filter(({ id }) => id !== message.id))
    return { ...thread, pages: [[message, ...first], ...older] }
  })
}

/** Removes a message that was unsent. */
export const removeMessage = (queryClient: QueryClient, { id, recipient_id }: Message): void =>
  changeMessage(queryClient, recipient_id, id, asGone)

export function changeMessage(
  queryClient: QueryClient,
  otherId: string,
  id: string,
  change: (message: Message) => Message,
): void {
  // Also where the thread is open at another message.
  queryClient.setQueriesData<Thread>({ queryKey: threadKey(otherId) }, (thread) => {
    if (!thread) return thread
    return {
      ...thread,
      pages: thread.pages.map((page) => page.map((message) => (message.id === id ? change(message) : message))),
    }
  })
}

/** The most messages that the server returns at once. */
const readMax = 100

/** As many of the newest messages as the thread shows, because any of them may have a new reaction, or be gone. */
async function readNewest(otherId: string, count: number): Promise<Message[]> {
  const newest: Message[] = []
  while (newest.length < count) {
    const size = Math.min(count - newest.length, readMax)
    const page = await readThreadPage(otherId, { before: newest.at(-1), size })
    newest.push(...page)
    if (page.length < size) break
  }
  return newest
}

/** Refetches the messages of open threads, the conversation list, and the unread count. */
export async function refreshMessages(queryClient: QueryClient): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'conversations'] })
  void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'conversation'] })
  void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'unread'] })
  const threads = queryClient.getQueryCache().findAll({ queryKey: [...messagesKey, 'thread'] })
  await Promise.all(
    threads.map(async (thread) => {
      // Inactive threads are read when they open.
      if (!thread.isActive() || thread.state.data === undefined) return thread.invalidate()
      const otherId = String(thread.queryKey[2])
      const { queryKey } = threadQuery(otherId)
      // A thread that is open at another message: its pages are refetched where they are.
      if (thread.queryKey.length > queryKey.length) return queryClient.invalidateQueries({ queryKey: thread.queryKey })
      try {
        const size = Math.max(threadPageSize, queryClient.getQueryData(queryKey)?.pages.flat().length ?? 0)
        const newest = await readNewest(otherId, size)
        queryClient.setQueryData(queryKey, (known) => known && takeInNewest(known, newest, size))
      } catch {
        // Keep what is shown: the next live update or returning to the tab reads it again.
        thread.invalidate()
      }
    }),
  )
}
