import { messageTexts } from '@ovation/contract/texts/messages'
import { IconLock, IconMicrophone, IconVideo } from '@tabler/icons-react'
import { fileWord } from '../../domain/messages/file-word.ts'
import type { Quote } from '../../domain/messages/queries.ts'
import { PostThumbnail } from '../../domain/posts/post-thumbnail.tsx'
import type { MediaLinks } from '../../lib/media/media-links.ts'
import classes from './quoted-message.module.css'

const texts = messageTexts.reply

type Props = {
  /** Null if the message was unsent. */
  quote: Quote | null
  viewerId: string
  /** The other user's name. */
  name: string
  links: MediaLinks
  /** Shows the message itself. */
  onShow?: (() => void) | undefined
}

/** The beginning of a message in a reply to it, with a small picture (INBOX-06). Loads with the first one. */
export default function QuotedMessage({ quote, viewerId, name, links, onShow }: Props) {
  if (!quote) return <p className={`${classes.quote} ${classes.gone}`}>{texts.gone}</p>
  const { media_url, media_type, preview } = quote
  const face = (
    <>
      <span className={classes.words}>
        <span className={classes.sender} dir="auto">
          {quote.sender_id === viewerId ? texts.you : name}
        </span>
        <span className={classes.text} dir="auto">
          {quote.is_locked && <IconLock size={14} aria-hidden="true" />}
          {media_type === 'audio' && <IconMicrophone size={14} aria-hidden="true" />}
          {lineOf(quote)}
        </span>
      </span>
      {media_url && media_type !== 'audio' && (
        <span className={classes.picture}>
          <PostThumbnail
            post={{ media_urls: [media_url], media_previews: preview === undefined ? [] : [{ preview }] }}
            links={links}
            className={classes.thumbnail}
          />
          {media_type === 'video' && <IconVideo size={18} stroke={1.6} aria-hidden="true" />}
        </span>
      )}
    </>
  )
  if (!onShow) return <div className={classes.quote}>{face}</div>
  return (
    <button type="button" className={classes.quote} title={texts.show} onClick={onShow}>
      {face}
    </button>
  )
}

function lineOf({ is_locked, text, media_type }: Quote): string {
  if (is_locked) return messageTexts.paidMessage
  return text || fileWord(media_type)
}
