import { paths } from '@ovation/contract/paths'
import { messageTexts } from '@ovation/contract/texts/messages'
import { Link } from 'react-router'
import type { FoundMessage } from '../../domain/messages/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import classes from './conversation-list.module.css'
import { findWords } from './find-words.ts'
import found from './found-messages.module.css'

type Props = {
  message: FoundMessage
  viewerId: string
  search: string
  open: boolean
  onOpen?: (() => void) | undefined
}

/** A message that the search found, which opens the thread there (INBOX-02). */
export function FoundMessageRow({ message, viewerId, search, open, onOpen }: Props) {
  const name = nameOf(message)
  return (
    <li>
      <Link
        to={paths.conversation(message.username, message.id)}
        className={classes.row}
        aria-current={open || undefined}
        preventScrollReset
        onClick={onOpen}
      >
        <ProfileAvatar name={name} src={publicImage(message.avatar_url, message.updated_at)} size={40} />
        <span className={classes.text}>
          <span className={classes.top}>
            <span className={classes.name} dir="auto">
              {name}
            </span>
            <span className={classes.when}>
              <Ago at={message.created_at} />
            </span>
          </span>
          <span className={found.excerpt} dir="auto">
            {message.sender_id === viewerId && messageTexts.you}
            {findWords(message.excerpt, search).map(({ text, found: isFound, at }) =>
              isFound ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}
