import { badgeCap } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconLock, IconPinFilled } from '@tabler/icons-react'
import { Link } from 'react-router'
import { fileWord } from '../../domain/messages/file-word.ts'
import type { Conversation } from '../../domain/messages/queries.ts'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { formatBadge } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import classes from './conversation-list.module.css'
import { ConversationMenu } from './conversation-menu.tsx'
import { isUnread } from './is-unread.ts'
import { isOnline } from './presence.ts'

type Props = {
  conversation: Conversation
  viewer: Viewer
  open: boolean
  /** Whether it is a muted offer, which can't be pinned or archived. */
  isOffer: boolean
}

/** A conversation: the other user, the last message, the unread count, and what the viewer can do with it. */
export function ConversationRow({ conversation, viewer, open, isOffer }: Props) {
  const { unread_count: unread, last_seen_at } = conversation
  const name = nameOf(conversation)
  return (
    <li className={classes.item}>
      <Link
        to={paths.conversation(conversation.username)}
        className={classes.row}
        aria-current={open || undefined}
        data-unread={isUnread(conversation)}
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
              {conversation.is_pinned && <IconPinFilled size={13} role="img" aria-label={messageTexts.pinned} />}
              <Ago at={conversation.last_message_at} />
            </span>
          </span>
          <span className={classes.bottom}>
            <span className={classes.last}>
              {conversation.last_is_locked && <IconLock size={14} aria-hidden="true" />}
              <span className={classes.lastMessage} dir="auto">
                {lastLine(conversation, viewer.profileId)}
              </span>
            </span>
            {unread > 0 && (
              <span className={classes.unread}>
                <span className="visually-hidden">{messageTexts.unread(unread)}</span>
                <span aria-hidden="true">{formatBadge(unread, badgeCap)}</span>
              </span>
            )}
            {unread === 0 && conversation.is_marked_unread && (
              <span className={classes.marked} role="img" aria-label={messageTexts.markedUnread} />
            )}
          </span>
        </span>
      </Link>
      <ConversationMenu conversation={conversation} open={open} isOffer={isOffer} isCreator={viewer.mayPublish} />
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
  return from + fileWord(files[0])
}
