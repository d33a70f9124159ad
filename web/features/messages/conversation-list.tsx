import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { paths } from '@ovation/contract/paths'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconArchive, IconFilterOff, IconMessageCircle, IconSearchOff } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { fanListsQuery } from '../../domain/fans/list-queries.ts'
import {
  type ConversationFilter,
  type ConversationsShown,
  conversationsQuery,
  wholeInbox,
} from '../../domain/messages/queries.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { ConversationFilters } from './conversation-filters.tsx'
import classes from './conversation-list.module.css'
import { ConversationRow } from './conversation-row.tsx'
import found from './found-messages.module.css'

const FoundMessages = lazy(() => import('./found-messages.tsx'))

type Props = { viewer: Viewer; openId: string | undefined }

/** The viewer's conversations; the search matches names (MSG-03, INBOX-01), and messages by their words (INBOX-02). */
export function ConversationList({ viewer, openId }: Props) {
  const [search, setSearch] = useState('')
  const [settledSearch] = useDebouncedValue(search.trim(), 250)
  const [{ filter, sort, list: chosen }, setShown] = useState(wholeInbox)
  const { data: lists } = useQuery({ ...fanListsQuery(viewer.profileId), enabled: viewer.mayPublish })
  // One that was deleted, perhaps on another device, leaves the whole inbox.
  const list = lists && !lists.some(({ id }) => id === chosen) ? null : chosen
  return (
    <>
      <SearchField
        label={messageTexts.searchAll}
        className={classes.search}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ConversationFilters
        lists={lists ?? []}
        isCreator={viewer.mayPublish}
        shown={{ filter, sort, search, list }}
        onChange={(part) => setShown((shown) => ({ ...shown, ...part }))}
      />
      <Listed
        key={`${filter} ${list} ${sort} ${settledSearch}`}
        shown={{ filter, sort, search: settledSearch, list }}
        viewer={viewer}
        openId={openId}
      />
    </>
  )
}

/** Conversations that a search shows before the messages that it found. */
const firstFound = 5

function Listed({ shown, viewer, openId }: Props & { shown: ConversationsShown }) {
  const [all, setAll] = useState(false)
  const openMessage = useSearchParams()[0].get('message')
  const keptFocus = useKeptFocus()
  const list = useInfiniteQuery(conversationsQuery(shown))
  const { search } = shown
  if (!search) return <Conversations shown={shown} viewer={viewer} openId={openId} />
  const names = list.data?.pages.flat().length
  return (
    <div {...keptFocus} className={classes.scroller}>
      {names !== 0 && <h2 className={found.title}>{messageTexts.find.conversations}</h2>}
      <Conversations shown={shown} viewer={viewer} openId={openId} most={all ? undefined : firstFound} empty={null} />
      {!all && names !== undefined && names > firstFound && (
        <div className={found.more}>
          <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
            {messageTexts.find.moreConversations}
          </Button>
        </div>
      )}
      {names !== 0 && <h2 className={found.title}>{messageTexts.find.title}</h2>}
      <Suspense fallback={<ListSkeleton rows={3} shape="line" />}>
        <FoundMessages
          search={search}
          viewerId={viewer.profileId}
          openId={openMessage}
          empty={names === 0 ? <NoMatch search={search} /> : <p className={found.none}>{messageTexts.find.none}</p>}
        />
      </Suspense>
    </div>
  )
}

type ConversationsProps = Props & {
  shown: ConversationsShown
  /** Shows only the first ones. */
  most?: number | undefined
  /** Replaces what an empty list says, in a list among others. */
  empty?: ReactNode
}

function Conversations({ shown, viewer, openId, most, empty }: ConversationsProps) {
  const list = useInfiniteQuery(conversationsQuery(shown))
  const keptFocus = useKeptFocus<HTMLElement>()
  const isWhole = empty === undefined
  return (
    <PagedList
      query={list}
      rows={list.data?.pages.flat()}
      pending={<ListSkeleton rows={6} shape="line" />}
      failed={{ title: messageTexts.conversationsFailed }}
      empty={isWhole ? shown.list ? <NoneOnList /> : <NoneIn filter={shown.filter} /> : empty}
      moreFailed={messageTexts.moreFailed}
    >
      {(conversations, more) => (
        <nav {...(isWhole && { ...keptFocus, className: classes.scroller })} aria-label={messageTexts.conversations}>
          <ul className={classes.list}>
            {conversations.slice(0, most).map((conversation) => (
              <ConversationRow
                key={conversation.other_id}
                conversation={conversation}
                viewer={viewer}
                open={conversation.other_id === openId}
                isOffer={shown.filter === 'offers'}
              />
            ))}
          </ul>
          {most === undefined && more}
        </nav>
      )}
    </PagedList>
  )
}

const NoMatch = ({ search }: { search: string }) => (
  <EmptyState icon={<IconSearchOff size={26} stroke={1.5} />} {...messageTexts.find.noMatches(search)} />
)

const NoneOnList = () => <EmptyState icon={<IconFilterOff size={26} stroke={1.5} />} {...messageTexts.noneOnList} />

/** A filter that shows nothing; without any conversations at all, how to begin one. */
function NoneIn({ filter }: { filter: ConversationFilter }) {
  const archive = useInfiniteQuery({
    ...conversationsQuery({ ...wholeInbox, filter: 'archived' }),
    enabled: filter === 'all',
  })
  if (filter === 'all' && archive.isPending) return <ListSkeleton rows={6} shape="line" />
  if (filter === 'all' && !archive.data?.pages[0]?.length) return <NoneYet />
  const Icon = filter === 'all' || filter === 'archived' ? IconArchive : IconFilterOff
  return <EmptyState icon={<Icon size={26} stroke={1.5} />} {...messageTexts.noneIn[filter]} />
}

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
