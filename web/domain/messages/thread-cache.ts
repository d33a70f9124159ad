import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type Message, readThreadPage, threadPageSize, threadQuery } from './queries.ts'
import { messagesKey } from './unread.ts'

type Thread = InfiniteData<Message[]>

/**
 * Merges the newest page into an open thread, instead of reading every page again. Known messages that it should have and hasn't are gone
 * (INBOX-07). If there are more new messages than fit on a page, the thread starts over with it, and scrolling loads the rest: no message is
 * skipped.
 */
export function takeInNewest(thread: Thread, newest: Message[]): Thread {
  const fresh = new Map(newest.map((message) => [message.id, message]))
  const known = thread.pages.flat()
  const meets = newest.length < threadPageSize || known.some((message) => fresh.has(message.id))
  if (!meets) return { pages: [newest], pageParams: [undefined] }
  // Messages sent while the page was loading aren't on it, and are newer.
  const isAhead = ({ created_at }: Message) => newest[0] !== undefined && created_at > newest[0].created_at
  // A page that isn't full has everything.
  const end = newest.length < threadPageSize ? '' : (newest.at(-1)?.created_at ?? '')
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

/** Adds a message that was just sent, or updates it. */
export function putMessage(queryClient: QueryClient, otherId: string, message: Message): void {
  queryClient.setQueryData(threadQuery(otherId).queryKey, (thread) => {
    if (!thread) return thread
    const [first = [], ...older] = thread.pages.map((page) => page.filter(({ id }) => id !== message.id))
    return { ...thread, pages: [[message, ...first], ...older] }
  })
}

/** Removes a message that was unsent. */
export function removeMessage(queryClient: QueryClient, { id, recipient_id }: Message): void {
  queryClient.setQueryData(threadQuery(recipient_id).queryKey, (thread) => {
    if (!thread) return thread
    return {
      ...thread,
      pages: thread.pages.map((page) => page.map((message) => (message.id === id ? asGone(message) : message))),
    }
  })
}

/** Refetches the newest messages of open threads, the conversation list, and the unread count. */
export async function refreshMessages(queryClient: QueryClient): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'conversations'] })
  void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'unread'] })
  const threads = queryClient.getQueryCache().findAll({ queryKey: [...messagesKey, 'thread'] })
  await Promise.all(
    threads.map(async (thread) => {
      // Inactive threads are read when they open.
      if (!thread.isActive() || thread.state.data === undefined) return thread.invalidate()
      const otherId = String(thread.queryKey[2])
      try {
        const newest = await readThreadPage(otherId)
        queryClient.setQueryData(threadQuery(otherId).queryKey, (known) => known && takeInNewest(known, newest))
      } catch {
        // Keep what is shown: the next live update or returning to the tab reads it again.
        thread.invalidate()
      }
    }),
  )
}
