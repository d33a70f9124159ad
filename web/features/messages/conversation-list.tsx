import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { paths } from '@ovation/contract/paths'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconMessageCircle, IconSearchOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { conversationsQuery } from '../../domain/messages/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import classes from './conversation-list.module.css'
import { ConversationRow } from './conversation-row.tsx'

/** The viewer's conversations, latest message first; the search matches names (MSG-03). */
export function ConversationList({ viewerId, openId }: { viewerId: string; openId: string | undefined }) {
  const [search, setSearch] = useState('')
  const [settledSearch] = useDebouncedValue(search.trim(), 250)
  return (
    <>
      <SearchField
        label={messageTexts.search}
        className={classes.search}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Conversations key={settledSearch} search={settledSearch} viewerId={viewerId} openId={openId} />
    </>
  )
}

function Conversations({ search, viewerId, openId }: { search: string; viewerId: string; openId: string | undefined }) {
  const list = useInfiniteQuery(conversationsQuery(search))
  return (
    <PagedList
      query={list}
      rows={list.data?.pages.flat()}
      pending={<ListSkeleton rows={6} shape="line" />}
      failed={{ title: messageTexts.conversationsFailed }}
      empty={search ? <NoMatch search={search} /> : <NoneYet />}
      moreFailed={messageTexts.moreFailed}
    >
      {(conversations, more) => (
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
          {more}
        </nav>
      )}
    </PagedList>
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
