import { postTexts } from '@ovation/contract/texts/posts'
import { useState } from 'react'
import { captionsOf, sized, streamOf } from '../../lib/media/media-links.ts'
import { VideoPlayer } from '../../ui/video-player.tsx'
import { NotAvailable } from './post-image.tsx'
import classes from './post-video.module.css'
import type { MediaPreview } from './queries.ts'

type Props = { url: string | undefined; label: string; className?: string; preview?: MediaPreview | undefined }

/** A video of a post or a message (POST-16), with its poster and stream, if they were made, and its captions. */
export function PostVideo({ url, label, className = '', preview }: Props) {
  const [broken, setBroken] = useState<string>()
  // A playing video keeps its link: a renewed one would restart it. It switches when the old one fails.
  const [held, setHeld] = useState<string>()
  const link = held && url && pathOf(held) === pathOf(url) ? held : url
  if (!link || broken === link)
    return (
      <div className={className}>
        <NotAvailable text={postTexts.videoNotAvailable} />
      </div>
    )
  return (
    <VideoPlayer
      src={link}
      label={label}
      // The poster and the size are known at the same time; streams come later.
      poster={preview?.preview ? sized(link, 960) : undefined}
      stream={preview?.stream ? streamOf(link) : undefined}
      captions={preview?.captions?.map((language) => captionsOf(link, language))}
      remember={pathOf(link)}
      className={`${classes.video} ${className}`}
      onStarted={() => setHeld(link)}
      onFailed={() => {
        if (link === url) setBroken(link)
        setHeld(link === url ? undefined : url)
      }}
    />
  )
}

/** The part of a link that stays the same when it is signed again. */
const pathOf = (url: string): string => url.split('?')[0]?.split('/object/sign/')[1] ?? ''
