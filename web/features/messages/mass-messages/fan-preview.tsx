import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { useState } from 'react'
import type { Message } from '../../../domain/messages/queries.ts'
import { nameOf, type Viewer } from '../../../lib/auth/viewer.ts'
import type { MediaLinksState } from '../../../lib/media/media-links.ts'
import { Segments } from '../../../ui/segments.tsx'
import { MessageBubble } from '../message-bubble.tsx'
import classes from './mass-form.module.css'
import { type MassValues, priceOf } from './mass-values.ts'

const texts = massMessageTexts.compose.preview

type Props = { viewer: Viewer; values: MassValues; media: MediaLinksState }

/** The message as a fan sees it in the thread; a paid one before and after the payment. */
export default function FanPreview({ viewer, values, media }: Props) {
  const [side, setSide] = useState<'before' | 'after'>('before')
  const isPaid = priceOf(values) !== null
  const isEmpty = values.content.trim() === '' && values.files.length === 0
  const name = nameOf({ username: viewer.username ?? '', display_name: viewer.displayName })
  return (
    <section className={classes.preview} aria-labelledby="mass-message-preview">
      <h2 id="mass-message-preview">{texts.title}</h2>
      {isPaid && (
        <Segments
          fullWidth
          aria-labelledby="mass-message-preview"
          value={side}
          onChange={setSide}
          data={[
            { value: 'before', label: texts.before },
            { value: 'after', label: texts.after },
          ]}
        />
      )}
      {isEmpty ? (
        <p className={classes.nothing}>{texts.empty}</p>
      ) : (
        // Inert: its button would sell a message that doesn't exist yet.
        <ul className={classes.thread} inert>
          <MessageBubble
            // The bubble remembers whether it was locked.
            key={isPaid ? side : 'free'}
            message={messageOf(viewer, values, isPaid && side === 'before')}
            mine={false}
            viewerId=""
            name={name}
            media={media}
            last
            timed={false}
            primary={false}
            canReact={false}
            onShow={showNothing}
            highlighted={false}
          />
        </ul>
      )}
    </section>
  )
}

// A new message quotes none.
const showNothing = () => undefined

function messageOf(viewer: Viewer, values: MassValues, isLocked: boolean): Message {
  const price = priceOf(values)
  const { files } = values
  const preview = price === null ? -1 : files.findIndex(({ id }) => id === values.previewId)
  return {
    id: 'preview',
    sender_id: viewer.profileId,
    recipient_id: '',
    author_kind: 'user',
    author_name: null,
    content: isLocked ? null : values.content.trim(),
    is_paid: price !== null,
    price: price ?? 0,
    is_read: true,
    is_locked: isLocked,
    is_unlocked: !isLocked,
    media_urls: isLocked ? [] : files.map(({ path }) => path),
    media_types: files.map(({ kind }) => kind),
    media_previews: files.map(({ preview, duration, width, height }) => ({
      ...(preview && { preview }),
      ...(duration !== null && { duration }),
      ...(width && height && { width, height }),
    })),
    preview_index: preview < 0 ? null : preview,
    preview_url: files[preview]?.path ?? null,
    sender_reaction: null,
    recipient_reaction: null,
    quoted_id: null,
    quote: null,
    story_id: null,
    created_at: new Date().toISOString(),
  }
}
