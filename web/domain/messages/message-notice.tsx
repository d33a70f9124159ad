import { awayTexts as texts } from '@ovation/contract/texts/away-messages'
import { IconClock, IconMoon } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatDate } from '../../lib/format/format-date.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import classes from './message-notice.module.css'
import { messageNoticeQuery } from './message-notice-query.ts'

/** One line for the header of a thread: that the creator is away, or how soon they usually reply. `otherwise` if there is neither. */
export function NoticeLine({ creatorId, otherwise }: { creatorId: string; otherwise: ReactNode }) {
  const { data: notice } = useQuery(messageNoticeQuery(creatorId))
  if (notice?.away_message) return notice.away_until ? texts.awayUntil(formatDate(notice.away_until)) : texts.away
  return notice?.reply_time ? texts.replies[notice.reply_time] : otherwise
}

type Props = { creatorId: string; name: string }
type NoteProps = Props & {
  /** The viewer's newest message. After another one, the notice is read again: the creator may be away by now. */
  wrote?: string | undefined
}

/**
 * The creator's away message. It isn't one of the thread's messages: fans see it once, whatever they write, and before they pay for anything
 * in the thread.
 */
export function AwayNote({ creatorId, name, wrote }: NoteProps) {
  const queryClient = useQueryClient()
  const { data: notice } = useQuery(messageNoticeQuery(creatorId))
  const before = useRef(wrote)
  useEffect(() => {
    if (!wrote || wrote === before.current) return
    before.current = wrote
    void queryClient.invalidateQueries({ queryKey: messageNoticeQuery(creatorId).queryKey })
  }, [wrote, creatorId, queryClient])
  if (!notice?.away_message) return null
  return (
    <div className={classes.away} role="note">
      <p className={classes.title}>
        <IconMoon size={16} stroke={1.7} aria-hidden="true" />
        <span>{notice.away_until ? texts.isAwayUntil(name, formatDate(notice.away_until)) : texts.isAway(name)}</span>
      </p>
      <p className={classes.text} dir="auto">
        <LinkedText text={notice.away_message} />
      </p>
    </div>
  )
}

/** The same on a profile, beside the Message action, where there is room for how soon the creator replies. */
export function ProfileNotice({ creatorId, name }: Props) {
  const { data: notice } = useQuery(messageNoticeQuery(creatorId))
  if (!notice?.reply_time) return <AwayNote creatorId={creatorId} name={name} />
  return (
    <p className={classes.line}>
      <IconClock size={17} stroke={1.6} aria-hidden="true" />
      {texts.replies[notice.reply_time]}
    </p>
  )
}
