import { Button } from '@mantine/core'
import { messageTexts } from '@ovation/contract/texts/messages'
import { payingTexts } from '@ovation/contract/texts/paying'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Message } from '../../domain/messages/queries.ts'
import { useCheckout } from '../../domain/payments/use-checkout.ts'
import { describeMedia } from '../../domain/posts/describe-media.ts'
import { MediaGallery } from '../../domain/posts/media-gallery.tsx'
import { formatExact } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { formatTime } from '../../lib/format/format-time.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import joy from '../../ui/moments.module.css'
import classes from './message-bubble.module.css'
import { noteUnlocking, useUnlockedInSight } from './use-unlocked-in-sight.ts'

type Props = {
  message: Message
  mine: boolean
  /** The other user's name. */
  name: string
  media: MediaLinksState
  /** The last message of a group shows the time, unless the line below does. */
  last: boolean
  timed: boolean
  /** Whether unlocking it is the thread's primary action (LOOP-28). */
  primary: boolean
  menu?: ReactNode
}

/** A message as the viewer may see it (MSG-04, MSG-07). */
export function MessageBubble({ message, mine, name, media, last, timed, primary, menu }: Props) {
  // Unlocked in front of the viewer, by a payment (LOOP-27).
  const [wasLocked] = useState(message.is_locked)
  return (
    <li ref={useUnlockedInSight(message)} className={classes.message} data-mine={mine} data-last={last}>
      <span className="visually-hidden">{mine ? messageTexts.mine : messageTexts.says(name)}</span>
      <div className={classes.line}>
        {message.is_locked ? (
          <LockedMessage message={message} name={name} primary={primary} />
        ) : (
          <div
            className={`${classes.bubble} ${wasLocked ? joy.reveal : ''}`}
            data-files={message.media_urls.length > 0}
          >
            {message.is_paid && <PaidMark message={message} mine={mine} />}
            {message.media_urls.length > 0 && (
              <div className={classes.media}>
                <MediaGallery
                  paths={message.media_urls}
                  types={message.media_types}
                  previews={message.media_previews}
                  media={media}
                  creator={mine ? messageTexts.yourself : name}
                  place="message"
                />
              </div>
            )}
            {message.content && (
              <p className={classes.text} dir="auto">
                <LinkedText text={message.content} />
              </p>
            )}
          </div>
        )}
        {menu}
      </div>
      {last && timed && (
        <time className={classes.time} dateTime={message.created_at} title={formatExact(message.created_at)}>
          {formatTime(message.created_at)}
        </time>
      )}
    </li>
  )
}

function PaidMark({ message: { price, is_unlocked }, mine }: { message: Message; mine: boolean }) {
  const amount = formatCents(price)
  const opened = mine ? (is_unlocked ? messageTexts.paidOpened : messageTexts.paidWaiting) : messageTexts.paid
  return (
    <span className={classes.paid}>
      {mine && !is_unlocked ? <IconLock size={15} aria-hidden="true" /> : <IconLockOpen size={15} aria-hidden="true" />}
      {opened(amount)}
    </span>
  )
}

/** MSG-07. The text isn't sent (MSG-09), so the blurred text is a placeholder. Unlock opens the checkout, which returns here (MSG-08). */
function LockedMessage({ message, name, primary }: Pick<Props, 'message' | 'name' | 'primary'>) {
  const unlock = useCheckout<{ kind: 'message'; targetId: string }>('create-payment-checkout', payingTexts.error)
  return (
    <div className={classes.locked}>
      <div className={classes.blur} aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
      <div className={classes.offer}>
        <span className={classes.lock} aria-hidden="true">
          <IconLock size={20} stroke={1.7} />
        </span>
        <p className={classes.offerWords}>{messageTexts.locked(name)}</p>
        {message.media_types.length > 0 && (
          <p className={classes.offerMedia}>{describeMedia(message.media_types, message.media_previews)}</p>
        )}
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
