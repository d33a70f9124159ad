import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type Message, readThreadPage, threadPageSize, threadQuery } from './queries.ts'
import { messagesKey } from './unread.ts'

type Thread = InfiniteData<Message[]>

/**
 * Merges the newest page into an open thread, instead of reading every page again. If there are more new messages
 * than fit on a page, the thread starts over with it, and scrolling loads the rest: no message is skipped.
 */
export function takeInNewest(thread: Thread, newest: Message[]): Thread {
  const fresh = new Map(newest.map((message) => [message.id, message]))
  const known = thread.pages.flat()
  const meets = newest.length < threadPageSize || known.some((message) => fresh.has(message.id))
  if (!meets) return { pages: [newest], pageParams: [undefined] }
  const [first = [], ...older] = thread.pages.map((page) => page.filter((message) => !fresh.has(message.id)))
  // What was sent while the page was on its way is not in it, and newer than all of it.
  const isAhead = ({ created_at }: Message) => newest[0] !== undefined && created_at > newest[0].created_at
  const rest = first.filter((message) => !isAhead(message))
  return { pages: [[...first.filter(isAhead), ...newest, ...rest], ...older], pageParams: thread.pageParams }
}

/** Shows a message that has just been sent, or replaces it by what is known of it now. */
export function putMessage(queryClient: QueryClient, otherId: string, message: Message): void {
  queryClient.setQueryData(threadQuery(otherId).queryKey, (thread) => {
    if (!thread) return thread
    const [first = [], ...older] = thread.pages.map((page) => page.filter(({ id }) => id !== message.id))
    return { ...thread, pages: [[message, ...first], ...older] }
  })
}

/** Reads what is new in every thread that is shown, and in the list and the badge. */
export async function refreshMessages(queryClient: QueryClient): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'conversations'] })
  void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'unread'] })
  const threads = queryClient.getQueryCache().findAll({ queryKey: [...messagesKey, 'thread'] })
  await Promise.all(
    threads.map(async (thread) => {
      // One that nobody looks at is read when it is opened.
      if (!thread.isActive() || thread.state.data === undefined) return thread.invalidate()
      const otherId = String(thread.queryKey[2])
      try {
        const newest = await readThreadPage(otherId)
        queryClient.setQueryData(threadQuery(otherId).queryKey, (known) => known && takeInNewest(known, newest))
      } catch {
        // What is shown stays; the next word of the server, or coming back to the tab, reads it again.
        thread.invalidate()
      }
    }),
  )
}
