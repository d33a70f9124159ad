import { Button } from '@mantine/core'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconArrowDown, IconMessageOff } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Person } from '../../domain/messages/queries.ts'
import { useClosedNotice } from '../../domain/messages/use-closed-notice.ts'
import { useSend } from '../../domain/messages/use-send.ts'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { useLeavingWarning } from '../../lib/browser/use-leaving-warning.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { MessageComposer } from './message-composer.tsx'
import { MessageMenu } from './message-menu.tsx'
import { NewerMessages, OlderMessages } from './older-messages.tsx'
import { OutgoingBubble } from './outgoing-bubble.tsx'
import classes from './thread.module.css'
import { StatusLine, ThreadMessages } from './thread-messages.tsx'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import { useMarkRead } from './use-mark-read.ts'
import { useOpenedAt } from './use-opened-at.ts'

const AwayNote = lazy(() =>
  import('../../domain/messages/message-notice.tsx').then((module) => ({ default: module.AwayNote })),
)

type Props = { viewer: Viewer; person: Person; typing: { report: () => void; sent: () => void; stop: () => void } }

/** The messages between two users, and the form for the next one (MSG-04). */
export function Thread({ viewer, person, typing }: Props) {
  const name = nameOf(person)
  const [announcement, setAnnouncement] = useState('')
  const { outgoing: unsent, send, retry, discard } = useSend(person.id, setAnnouncement)
  const [quotedId, setQuotedId] = useState<string>()
  const keptFocus = useKeptFocus()
  const opened = useOpenedAt(person.id, keptFocus.ref)
  const { query: thread, shown, newestFirst, isAround } = opened
  // Unless it has been unsent in the meantime.
  const quoted = [...shown, ...newestFirst].find(({ id }) => id === quotedId)
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
  const locked = shown.find(({ is_locked }) => is_locked)
  const empty = shown.length === 0 && outgoing.length === 0
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
            timedBelow={isAround ? undefined : newestMine?.id}
            primary={locked?.id}
            canReact={person.canMessage}
            onShow={opened.show}
            highlighted={opened.highlighted}
            menuFor={(message) => (
              <MessageMenu
                message={message}
                mine={message.sender_id === viewer.profileId}
                name={name}
                canMessage={person.canMessage}
                onReply={() => setQuotedId(message.id)}
                // It may have been about this message.
                onUnsent={() => setAnnouncement('')}
              />
            )}
          />
          {/* There is a gap between these messages and what follows the newest one. */}
          <NewerMessages
            more={isAround && thread.hasPreviousPage}
            pending={thread.isFetchingPreviousPage}
            failed={thread.isFetchPreviousPageError}
            onReach={thread.fetchPreviousPage}
          />
          {!isAround && outgoing.length > 0 && (
            <ol className={classes.list}>
              {outgoing.map((entry) => (
                <OutgoingBubble
                  key={entry.draft.id}
                  entry={entry}
                  name={name}
                  onRetry={() => retry(entry)}
                  onDiscard={() => discard(entry)}
                />
              ))}
            </ol>
          )}
          {!isAround && <StatusLine mine={newestMine} announcement={announcement} />}
          {!isAround && person.is_verified && (
            <Suspense>
              <AwayNote creatorId={person.id} name={name} wrote={newestMine?.id} />
            </Suspense>
          )}
        </div>
      </div>
      {isAround && (
        <div className={classes.toNewest}>
          <Button
            variant="default"
            size="compact-md"
            radius="xl"
            leftSection={<IconArrowDown size={16} stroke={1.8} />}
            onClick={opened.leave}
          >
            {messageTexts.toNewest}
          </Button>
        </div>
      )}
      {person.canMessage ? (
        <MessageComposer
          viewer={viewer}
          otherId={person.id}
          name={name}
          onTyping={typing.report}
          primary={!locked}
          quoted={quoted}
          onUnquote={() => setQuotedId(undefined)}
          onSend={(draft) => {
            setAnnouncement('')
            if (isAround) opened.leave()
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
