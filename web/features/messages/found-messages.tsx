import { messageTexts } from '@ovation/contract/texts/messages'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { foundMessagesQuery } from '../../domain/messages/queries.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { FoundMessageRow } from './found-message-row.tsx'
import classes from './found-messages.module.css'

const texts = messageTexts.find

type Props = {
  search: string
  /** Only the messages with this user. */
  withId?: string | undefined
  viewerId: string
  /** The message at which a thread is open. */
  openId: string | null
  empty: ReactNode
  onOpen?: () => void
}

/** The viewer's messages with the words of a search (INBOX-02). */
export default function FoundMessages({ search, withId, viewerId, openId, empty, onOpen }: Props) {
  const query = useInfiniteQuery(foundMessagesQuery(search, withId))
  return (
    <PagedList
      query={query}
      rows={query.data?.pages.flat()}
      pending={<ListSkeleton rows={3} shape="line" />}
      failed={{ title: texts.failed }}
      empty={empty}
      moreFailed={texts.moreFailed}
    >
      {(messages, more) => (
        <>
          <ul className={classes.list} aria-label={texts.title}>
            {messages.map((message) => (
              <FoundMessageRow
                key={message.id}
                message={message}
                viewerId={viewerId}
                search={search}
                open={message.id === openId}
                onOpen={onOpen}
              />
            ))}
          </ul>
          {more}
        </>
      )}
    </PagedList>
  )
}
