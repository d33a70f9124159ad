import { messageTexts } from '@ovation/contract/texts/messages'
import { IconMessageOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { type Person, threadQuery } from '../../domain/messages/queries.ts'
import { useClosedNotice } from '../../domain/messages/use-closed-notice.ts'
import { useSend } from '../../domain/messages/use-send.ts'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { useLeavingWarning } from '../../lib/browser/use-leaving-warning.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { MessageComposer } from './message-composer.tsx'
import { MessageMenu } from './message-menu.tsx'
import { OlderMessages } from './older-messages.tsx'
import { OutgoingBubble } from './outgoing-bubble.tsx'
import classes from './thread.module.css'
import { StatusLine, ThreadMessages } from './thread-messages.tsx'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import { useMarkRead } from './use-mark-read.ts'

const AwayNote = lazy(() =>
  import('../../domain/messages/message-notice.tsx').then((module) => ({ default: module.AwayNote })),
)

type Props = { viewer: Viewer; person: Person; typing: { report: () => void; sent: () => void; stop: () => void } }

/** The messages between two users, and the form for the next one (MSG-04). */
export function Thread({ viewer, person, typing }: Props) {
  const name = nameOf(person)
  const thread = useInfiniteQuery(threadQuery(person.id))
  const [announcement, setAnnouncement] = useState('')
  const { outgoing: unsent, send, retry, discard } = useSend(person.id, setAnnouncement)
  const keptFocus = useKeptFocus()

  const newestFirst = useMemo(() => thread.data?.pages.flat() ?? [], [thread.data])
  useMarkRead(viewer.profileId, person.id, newestFirst)
  const newest = newestFirst[0]
  const theirs = newest?.sender_id === person.id ? newest.id : undefined
  const { stop } = typing
  // The other user's next message ends their typing, and what was said of the viewer's.
  useEffect(() => {
    stop()
    if (theirs) setAnnouncement('')
  }, [theirs, stop])

  // A delivered message may still be among the unsent ones: show it once.
  const outgoing = unsent.filter(
    ({ draft }) => draft.sender_id === viewer.profileId && !newestFirst.some(({ id }) => id === draft.id),
  )
  useLeavingWarning(outgoing.length > 0)

  if (thread.isPending) return <ThreadSkeleton />
  if (thread.isError && !thread.data)
    return (
      <div className={classes.failed}>
        <LoadFailed title={messageTexts.loadFailed} of={thread} />
      </div>
    )

  // An unsent message below shows its own state.
  const newestMine = outgoing.length === 0 && newest?.sender_id === viewer.profileId ? newest : undefined
  const locked = newestFirst.find(({ is_locked }) => is_locked)
  const empty = newestFirst.length === 0 && outgoing.length === 0
  return (
    <>
      {/* Laid out from the bottom, so that older messages load above without moving the visible ones. */}
      <div
        {...keptFocus}
        className={classes.scroller}
        role="log"
        aria-label={messageTexts.thread(name)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll content without controls
        tabIndex={0}
      >
        <div className={classes.inner}>
          <OlderMessages
            more={thread.hasNextPage}
            pending={thread.isFetchingNextPage}
            failed={thread.isFetchNextPageError}
            onReach={thread.fetchNextPage}
            beginning={empty ? messageTexts.emptyThread(name) : messageTexts.beginning}
          />
          <ThreadMessages
            pages={thread.data.pages.filter((page) => page.length > 0)}
            viewerId={viewer.profileId}
            name={name}
            timedBelow={newestMine?.id}
            primary={locked?.id}
            menuFor={(message) => (
              <MessageMenu
                message={message}
                mine={message.sender_id === viewer.profileId}
                name={name}
                // It may have been about this message.
                onUnsent={() => setAnnouncement('')}
              />
            )}
          />
          {outgoing.length > 0 && (
            <ol className={classes.list}>
              {outgoing.map((entry) => (
                <OutgoingBubble
                  key={entry.draft.id}
                  entry={entry}
                  onRetry={() => retry(entry)}
                  onDiscard={() => discard(entry)}
                />
              ))}
            </ol>
          )}
          <StatusLine mine={newestMine} announcement={announcement} />
          {person.is_verified && (
            <Suspense>
              <AwayNote creatorId={person.id} name={name} wrote={newestMine?.id} />
            </Suspense>
          )}
        </div>
      </div>
      {person.canMessage ? (
        <MessageComposer
          viewer={viewer}
          otherId={person.id}
          name={name}
          onTyping={typing.report}
          primary={!locked}
          onSend={(draft) => {
            setAnnouncement('')
            send(draft)
            typing.sent()
            // Zero is the bottom: show the sent message.
            if (keptFocus.ref.current) keptFocus.ref.current.scrollTop = 0
          }}
        />
      ) : (
        <Closed
          viewerId={viewer.profileId}
          person={person}
          wrote={newestFirst.some(({ sender_id }) => sender_id === person.id)}
        />
      )}
    </>
  )
}

/** MSG-12: replaces the form when the viewer can't write. */
function Closed({ viewerId, person, wrote }: { viewerId: string; person: Person; wrote: boolean }) {
  const notice = useClosedNotice(viewerId, person, { wrote })
  if (!notice) return null
  return (
    <div className={classes.closed} role="note">
      <IconMessageOff size={22} stroke={1.6} aria-hidden="true" />
      <div>
        <p className={classes.closedTitle}>{notice.title}</p>
        <p className={classes.closedMessage}>{notice.message}</p>
      </div>
    </div>
  )
}
