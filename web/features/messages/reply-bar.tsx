import { CloseButton } from '@mantine/core'
import { messageTexts } from '@ovation/contract/texts/messages'
import type { Message } from '../../domain/messages/queries.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import classes from './message-composer.module.css'
import { quoteOf } from './quote-of.ts'
import QuotedMessage from './quoted-message.tsx'

const texts = messageTexts.reply

type Props = { quoted: Message; viewerId: string; name: string; onCancel: () => void }

/** Above the field: the message that the next one replies to. Loads with the first reply. */
export default function ReplyBar({ quoted, viewerId, name, onCancel }: Props) {
  const quote = quoteOf(quoted)
  const { links } = useMediaLinks(quote.media_url === undefined ? [] : [quote.media_url], 'messages')
  return (
    // biome-ignore lint/a11y/useSemanticElements: no field belongs to it alone
    <div
      className={classes.reply}
      role="group"
      aria-label={quoted.sender_id === viewerId ? texts.toYourself : texts.to(name)}
    >
      <QuotedMessage quote={quote} viewerId={viewerId} name={name} links={links} />
      <CloseButton aria-label={texts.cancel} title={texts.cancel} onClick={onCancel} />
    </div>
  )
}
