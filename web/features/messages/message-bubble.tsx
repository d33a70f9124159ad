import { Button } from '@mantine/core'
import { messageTexts } from '@ovation/contract/texts/messages'
import { payingTexts } from '@ovation/contract/texts/paying'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Message } from '../../domain/messages/queries.ts'
import { useCheckout } from '../../domain/payments/use-checkout.ts'
import { formatExact } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { formatTime } from '../../lib/format/format-time.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import joy from '../../ui/moments.module.css'
import { describeContents } from './describe-contents.ts'
import classes from './message-bubble.module.css'
import { MessageFiles } from './message-files.tsx'
import { noteUnlocking, useUnlockedInSight } from './use-unlocked-in-sight.ts'

// Few messages have them.
const MessageReactions = lazy(() => import('./message-reactions.tsx'))
const QuotedStory = lazy(() => import('./quoted-story.tsx'))
const QuotedMessage = lazy(() => import('./quoted-message.tsx'))

type Props = {
  message: Message
  mine: boolean
  viewerId: string
  /** The other user's name. */
  name: string
  media: MediaLinksState
  /** The last message of a group shows the time, unless the line below does. */
  last: boolean
  timed: boolean
  /** Whether unlocking it is the thread's primary action (LOOP-28). */
  primary: boolean
  menu?: ReactNode
  canReact: boolean
  /** Shows another message of the thread. */
  onShow: (messageId: string) => void
  /** Whether it is the one at which the thread was opened, or to which a quote led. */
  highlighted: boolean
}

/** A message as the viewer may see it (MSG-04, MSG-07). */
export function MessageBubble(props: Props) {
  const { message, mine, name, media, last, timed, primary, menu, canReact, highlighted } = props
  const author = nameAuthor(message, mine ? messageTexts.yourself : name)
  const time = last && timed && (
    <time dateTime={message.created_at} title={formatExact(message.created_at)}>
      {formatTime(message.created_at)}
    </time>
  )
  // Unlocked in front of the viewer, by a payment (LOOP-27).
  const [wasLocked] = useState(message.is_locked)
  return (
    <li
      ref={useUnlockedInSight(message)}
      id={elementIdOf(message.id)}
      // Focused by a press on its quote.
      tabIndex={-1}
      className={classes.message}
      data-mine={mine}
      data-last={last}
      data-highlighted={highlighted || undefined}
    >
      <span className="visually-hidden">{mine ? messageTexts.mine : messageTexts.says(name)}</span>
      <div className={classes.line}>
        {message.is_locked ? (
          <LockedMessage message={message} name={name} media={media} primary={primary} quote={<QuoteIn {...props} />} />
        ) : (
          <div
            className={`${classes.bubble} ${wasLocked ? joy.reveal : ''}`}
            data-files={message.media_urls.length > 0}
          >
            {message.is_paid && <PaidMark message={message} mine={mine} />}
            <QuoteIn {...props} />
            {message.story_id && (
              <Suspense fallback={<div className={classes.quotePlace} />}>
                <QuotedStory storyId={message.story_id} mine={mine} name={name} />
              </Suspense>
            )}
            <MessageFiles
              paths={message.media_urls}
              types={message.media_types}
              previews={message.media_previews}
              media={media}
              sender={mine ? messageTexts.yourself : name}
            />
            {message.content && (
              <p className={classes.text} dir="auto">
                <LinkedText text={message.content} />
              </p>
            )}
          </div>
        )}
        {menu}
      </div>
      {(message.sender_reaction || message.recipient_reaction) && (
        <Suspense>
          <MessageReactions message={message} mine={mine} name={name} canReact={canReact && !message.is_locked} />
        </Suspense>
      )}
      {(author || time) && (
        <span className={classes.time}>
          {author}
          {author && time && ' · '}
          {time}
        </span>
      )}
    </li>
  )
}

/** The label of a message that its sender didn't write (INBOX-09). */
function nameAuthor({ author_kind, author_name }: Message, creator: string): string | undefined {
  if (author_kind === 'user') return undefined
  return author_kind === 'team' ? messageTexts.sentBy(author_name, creator) : messageTexts.sentAutomatically
}

const elementIdOf = (messageId: string) => `message-${messageId}`

/** Scrolls to a message that is loaded, and gives it the focus. */
export function revealMessage(messageId: string): void {
  const element = document.getElementById(elementIdOf(messageId))
  element?.scrollIntoView({ block: 'center' })
  element?.focus({ preventScroll: true })
}

function QuoteIn({ message: { quoted_id, quote }, viewerId, name, media, onShow }: Props) {
  if (!quoted_id) return null
  return (
    <Suspense fallback={<div className={classes.quotePlace} />}>
      <QuotedMessage
        quote={quote}
        viewerId={viewerId}
        name={name}
        links={media.links}
        onShow={quote ? () => onShow(quoted_id) : undefined}
      />
    </Suspense>
  )
}

function PaidMark({ message: { price, is_unlocked, preview_index }, mine }: { message: Message; mine: boolean }) {
  const amount = formatCents(price)
  const opened = mine ? (is_unlocked ? messageTexts.paidOpened : messageTexts.paidWaiting) : messageTexts.paid
  return (
    <span className={classes.paid}>
      {mine && !is_unlocked ? <IconLock size={15} aria-hidden="true" /> : <IconLockOpen size={15} aria-hidden="true" />}
      {opened(amount)}
      {mine && preview_index !== null && ` · ${messageTexts.withPreview}`}
    </span>
  )
}

/** MSG-07. The text isn't sent (MSG-09), so the blurred text is a placeholder. Unlock opens the checkout, which returns here (MSG-08). */
function LockedMessage({
  message,
  name,
  media,
  primary,
  quote,
}: Pick<Props, 'message' | 'name' | 'media' | 'primary'> & { quote: ReactNode }) {
  const unlock = useCheckout<{ kind: 'message'; targetId: string }>('create-payment-checkout', payingTexts.error)
  return (
    <div className={classes.locked}>
      {quote}
      {message.preview_url !== null && message.preview_index !== null ? (
        <figure className={classes.preview} data-kind={message.media_types[message.preview_index]}>
          <MessageFiles
            paths={[message.preview_url]}
            types={message.media_types.slice(message.preview_index, message.preview_index + 1)}
            previews={message.media_previews.slice(message.preview_index, message.preview_index + 1)}
            media={media}
            sender={name}
          />
          <figcaption>{messageTexts.freePreview}</figcaption>
        </figure>
      ) : (
        <div className={classes.blur} aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      )}
      <div className={classes.offer}>
        <span className={classes.lock} aria-hidden="true">
          <IconLock size={20} stroke={1.7} />
        </span>
        <p className={classes.offerWords}>{messageTexts.locked(name)}</p>
        {message.media_types.length > 0 && <p className={classes.offerMedia}>{describeContents(message)}</p>}
        <p className={classes.price}>{formatCents(message.price)}</p>
        <Button
          variant={primary ? 'filled' : 'default'}
          size="sm"
          radius="xl"
          loading={unlock.pending !== undefined}
          onClick={() => {
            noteUnlocking(message.id)
            unlock.start({ kind: 'message', targetId: message.id })
          }}
        >
          {messageTexts.unlock}
        </Button>
      </div>
    </div>
  )
}
