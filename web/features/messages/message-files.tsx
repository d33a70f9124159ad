import { messageTexts } from '@ovation/contract/texts/messages'
import { lazy, Suspense } from 'react'
import type { MessageFileType } from '../../domain/messages/queries.ts'
import { MediaGallery } from '../../domain/posts/media-gallery.tsx'
import type { MediaPreview } from '../../domain/posts/queries.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { noteProgress } from '../../lib/media/media-progress.ts'
import classes from './message-bubble.module.css'

// Few messages have one.
const VoicePlayer = lazy(() => import('../../ui/voice-player.tsx'))

type Props = {
  paths: string[]
  types: MessageFileType[]
  previews: MediaPreview[]
  media: MediaLinksState
  sender: string
}

/** The files of a message: its pictures and videos together, and below them a player for each voice message. */
export function MessageFiles({ paths, types, previews, media, sender }: Props) {
  const files = paths.map((path, index) => ({ path, type: types[index] ?? 'image', preview: previews[index] ?? {} }))
  const shown = files.flatMap(({ type, ...file }) => (type === 'audio' ? [] : [{ ...file, type }]))
  return (
    <>
      {shown.length > 0 && (
        <div className={classes.media}>
          <MediaGallery
            paths={shown.map(({ path }) => path)}
            types={shown.map(({ type }) => type)}
            previews={shown.map(({ preview }) => preview)}
            media={media}
            creator={sender}
            place="message"
          />
        </div>
      )}
      {files
        .filter(({ type }) => type === 'audio')
        .map(({ path, preview: { duration, waveform } }) => (
          <div key={path} className={classes.voice}>
            <Suspense>
              <VoicePlayer
                src={media.links.get(path)}
                pending={media.pending}
                label={messageTexts.voiceBy(sender)}
                duration={duration}
                waveform={waveform}
                onProgress={(at, length) => noteProgress(`messages/${path}`, at, length)}
              />
            </Suspense>
          </div>
        ))}
    </>
  )
}
