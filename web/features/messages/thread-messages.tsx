import { messageTexts } from '@ovation/contract/texts/messages'
import type { ReactNode } from 'react'
import type { Message } from '../../domain/messages/queries.ts'
import { formatExact } from '../../lib/format/format-date.ts'
import { formatTime } from '../../lib/format/format-time.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { belongTogether, dayOf, nameDay } from './days.ts'
import { MessageBubble } from './message-bubble.tsx'
import classes from './thread.module.css'

type Props = {
  /** Pages as loaded, newest first. The links of each are signed in one request. */
  pages: Message[][]
  viewerId: string
  name: string
  menuFor: (message: Message) => ReactNode
  /** The message whose time is in the status line below. */
  timedBelow: string | undefined
  /** The message whose unlocking is the primary action. */
  primary: string | undefined
  /** Whether the viewer may react. */
  canReact: boolean
  /** Shows a message of the thread, loaded or not. */
  onShow: (id: string) => void
  /** The message that was just shown so. */
  highlighted: string | undefined
}

/** The loaded messages from oldest to newest, with a mark where a day begins. */
export function ThreadMessages({ pages, ...rest }: Props) {
  const oldestFirst = pages.toReversed()
  return oldestFirst.map((page, index) => (
    <Page
      // The key is the oldest message of a page, which stays the same when newer ones arrive.
      key={page.at(-1)?.id ?? 'none'}
      messages={page.toReversed()}
      before={oldestFirst[index - 1]?.[0]}
      after={oldestFirst[index + 1]?.at(-1)}
      {...rest}
    />
  ))
}

type PageProps = Omit<Props, 'pages'> & { messages: Message[]; before?: Message; after?: Message }

function Page(props: PageProps) {
  const { messages, before, after, viewerId, name, menuFor, timedBelow, primary, canReact, onShow, highlighted } = props
  const media = useMediaLinks(
    messages.flatMap(({ media_urls, is_locked, preview_url, quote }) =>
      [...media_urls, is_locked && preview_url, quote?.media_url].filter((path) => typeof path === 'string'),
    ),
    'messages',
  )
  return (
    <ol className={classes.list}>
      {messages.map((message, index) => {
        const previous = messages[index - 1] ?? before
        const next = messages[index + 1] ?? after
        const day = !previous || dayOf(previous.created_at) !== dayOf(message.created_at)
        return [
          day && (
            <li key={`day ${message.id}`} className={classes.day}>
              <span>{nameDay(message.created_at)}</span>
            </li>
          ),
          <MessageBubble
            key={message.id}
            message={message}
            mine={message.sender_id === viewerId}
            viewerId={viewerId}
            name={name}
            media={media}
            last={!belongTogether(message, next)}
            timed={message.id !== timedBelow}
            primary={message.id === primary}
            menu={menuFor(message)}
            canReact={canReact}
            onShow={onShow}
            highlighted={message.id === highlighted}
          />,
        ]
      })}
    </ol>
  )
}

type StatusProps = {
  /** The newest message, if it's the viewer's. */
  mine: Message | undefined
  announcement: string
}

/**
 * The one line below the viewer's newest message: its time, and whether it was sent or read (MSG-13, LOOP-23). Rendered also while empty,
 * so that screen readers announce its changes. A paid message shows its own status.
 */
export function StatusLine({ mine, announcement }: StatusProps) {
  const { seen, delivered } = messageTexts.state
  const known = mine && !mine.is_paid ? (mine.is_read ? seen : delivered) : ''
  const text = known === seen ? seen : announcement || known
  return (
    <p className={classes.status} role="status">
      {mine && (
        <time dateTime={mine.created_at} title={formatExact(mine.created_at)}>
          {formatTime(mine.created_at)}
        </time>
      )}
      {mine && text && ' · '}
      {text && <span>{text}</span>}
    </p>
  )
}
