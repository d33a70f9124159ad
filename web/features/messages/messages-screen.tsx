import { Button, Skeleton } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconMessageCircle, IconUserOff } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { conversationsQuery, personQuery, wholeInbox } from '../../domain/messages/queries.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { BackToConversations } from './back-to-conversations.tsx'
import { ConversationList } from './conversation-list.tsx'
import classes from './messages-screen.module.css'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import { useLiveReceipts } from './use-live-messages.ts'

// The list needs none of it; the route loads it beside the rows of a thread.
const OpenedThread = lazy(() => import('./opened-thread.tsx'))

/** MSG-01: the list on the left and a thread on the right; a phone shows one of them. */
export function MessagesScreen() {
  return (
    <Page title={messageTexts.title} heading={null} width="full">
      <ForViewer skeleton={<Waiting />}>{(viewer) => <Messages viewer={viewer} />}</ForViewer>
    </Page>
  )
}

function Messages({ viewer }: { viewer: Viewer }) {
  const [parameters] = useSearchParams()
  const address = parameters.get('with')
  const person = useQuery({ ...personQuery(address ?? ''), enabled: address !== null })
  useLiveReceipts(viewer.profileId)
  return (
    <Panes
      open={address !== null}
      list={<ConversationList viewer={viewer} openId={person.data?.id} />}
      thread={address === null ? <NoneChosen /> : <OpenThread key={address} viewer={viewer} address={address} />}
    />
  )
}

/** Shown until a conversation is chosen. Without any conversations it explains the screen; while they load, it stays empty. */
function NoneChosen() {
  const list = useInfiniteQuery(conversationsQuery(wholeInbox))
  if (list.isPending) return null
  const none = list.data?.pages[0]?.length === 0
  return (
    <EmptyState
      icon={<IconMessageCircle size={26} stroke={1.5} />}
      {...(none ? messageTexts.noneToChoose : messageTexts.noneChosen)}
    />
  )
}

/** Both panes while the viewer loads. */
function Waiting() {
  const open = useSearchParams()[0].has('with')
  return <Panes open={open} list={<ListSkeleton rows={6} shape="line" />} thread={open && <ThreadWaiting />} />
}

type PanesProps = { /** Whether a thread is open. */ open: boolean; list: ReactNode; thread: ReactNode }

function Panes({ open, list, thread }: PanesProps) {
  return (
    <div className={classes.messages} data-open={open}>
      <section className={classes.conversations} aria-labelledby="messages-title">
        <h1 id="messages-title" className={classes.title}>
          {messageTexts.title}
        </h1>
        <div className={classes.listed}>{list}</div>
      </section>
      <section className={classes.thread} aria-label={open ? undefined : messageTexts.noneChosen.title}>
        {thread}
      </section>
    </div>
  )
}

function OpenThread({ viewer, address }: { viewer: Viewer; address: string }) {
  const person = useQuery(personQuery(address))
  if (person.isPending) return <ThreadWaiting />
  if (person.isError && !person.data)
    return (
      <Frame>
        <LoadFailed title={messageTexts.loadFailed} of={person} />
      </Frame>
    )
  if (!person.data || person.data.id === viewer.profileId)
    return (
      <Frame>
        <EmptyState
          icon={<IconUserOff size={26} stroke={1.5} />}
          {...(person.data ? messageTexts.oneself : messageTexts.personMissing)}
          action={
            <Button component={Link} to={paths.messages} variant="default">
              {messageTexts.back}
            </Button>
          }
        />
      </Frame>
    )
  return (
    <Suspense fallback={<ThreadWaiting />}>
      <OpenedThread viewer={viewer} person={person.data} />
    </Suspense>
  )
}

const Frame = ({ children }: { children: React.ReactNode }) => <div className={classes.frame}>{children}</div>

/** Shown while the other user and the thread load. */
const ThreadWaiting = () => (
  <>
    <div className={classes.head}>
      <BackToConversations />
      <Skeleton circle height={42} />
      <Skeleton height={14} width="9rem" />
    </div>
    <ThreadSkeleton />
  </>
)
