import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { paths } from '@ovation/contract/routes'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconMessageCircle, IconSearchOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { conversationsQuery } from '../../domain/messages/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import classes from './conversation-list.module.css'
import { ConversationRow } from './conversation-row.tsx'

/** Everybody one has written with, the last one first; the search matches their names (MSG-03). */
export function ConversationList({ viewerId, openId }: { viewerId: string; openId: string | undefined }) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 250)
  return (
    <>
      <SearchField
        label={messageTexts.search}
        className={classes.search}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Conversations key={asked} search={asked} viewerId={viewerId} openId={openId} />
    </>
  )
}

function Conversations({ search, viewerId, openId }: { search: string; viewerId: string; openId: string | undefined }) {
  const list = useInfiniteQuery(conversationsQuery(search))
  if (list.isPending) return <ListSkeleton rows={6} shape="line" />
  if (list.isError && !list.data) return <LoadFailed title={messageTexts.conversationsFailed} of={list} />
  const conversations = list.data.pages.flat()
  if (conversations.length === 0) return search ? <NoMatch search={search} /> : <NoneYet />
  return (
    <nav className={classes.scroller} aria-label={messageTexts.conversations}>
      <ul className={classes.list}>
        {conversations.map((conversation) => (
          <ConversationRow
            key={conversation.other_id}
            conversation={conversation}
            viewerId={viewerId}
            open={conversation.other_id === openId}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <LoadMore
          onReach={list.fetchNextPage}
          pending={list.isFetchingNextPage}
          failed={list.isFetchNextPageError}
          failure={messageTexts.moreFailed}
        />
      )}
    </nav>
  )
}

const NoMatch = ({ search }: { search: string }) => (
  <EmptyState icon={<IconSearchOff size={26} stroke={1.5} />} {...messageTexts.noMatches(search)} />
)

const NoneYet = () => (
  <EmptyState
    icon={<IconMessageCircle size={26} stroke={1.5} />}
    title={messageTexts.noConversations.title}
    message={messageTexts.noConversations.message}
    action={
      <Button component={Link} to={paths.explore} variant="default">
        {messageTexts.noConversations.action}
      </Button>
    }
  />
)
