import { badgeCap } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Conversation } from '../../domain/messages/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatBadge } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import classes from './conversation-list.module.css'
import { isOnline } from './presence.ts'

type Props = { conversation: Conversation; viewerId: string; open: boolean }

/** A conversation: the other user, the last message, and the unread count. */
export function ConversationRow({ conversation, viewerId, open }: Props) {
  const { unread_count: unread, last_seen_at } = conversation
  const name = nameOf(conversation)
  return (
    <li>
      <Link
        to={paths.conversation(conversation.username)}
        className={classes.row}
        aria-current={open || undefined}
        data-unread={unread > 0}
        preventScrollReset
      >
        <span className={classes.avatar}>
          <ProfileAvatar name={name} src={publicImage(conversation.avatar_url, conversation.updated_at)} size={48} />
          {isOnline(last_seen_at) && (
            <span className={classes.online} role="img" aria-label={messageTexts.online} title={messageTexts.online} />
          )}
        </span>
        <span className={classes.text}>
          <span className={classes.top}>
            <span className={classes.name} dir="auto">
              {name}
            </span>
            {conversation.is_verified && <VerifiedBadge size={16} />}
            <span className={classes.when}>
              <Ago at={conversation.last_message_at} />
            </span>
          </span>
          <span className={classes.bottom}>
            <span className={classes.last}>
              {conversation.last_is_locked && <IconLock size={14} aria-hidden="true" />}
              <span className={classes.lastMessage} dir="auto">
                {lastLine(conversation, viewerId)}
              </span>
            </span>
            {unread > 0 && (
              <span className={classes.unread}>
                <span className="visually-hidden">{messageTexts.unread(unread)}</span>
                <span aria-hidden="true">{formatBadge(unread, badgeCap)}</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** `"You: See you tomorrow"`, `"Photo"`, `"Paid message"`. */
function lastLine(conversation: Conversation, viewerId: string): string {
  const { last_content, last_is_locked, last_media_types: files } = conversation
  const from = conversation.last_sender_id === viewerId ? messageTexts.you : ''
  if (last_is_locked) return messageTexts.paidMessage
  if (last_content) return from + last_content
  if (files.length > 1) return from + messageTexts.files(files.length)
  return from + (files[0] === 'video' ? messageTexts.video : messageTexts.photo)
}
