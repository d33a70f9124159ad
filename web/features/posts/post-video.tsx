import { postTexts } from '@ovation/contract/texts/posts'
import { useState } from 'react'
import { captionsOf, sized, streamOf } from '../../lib/media-links.ts'
import { VideoPlayer } from '../../ui/video-player.tsx'
import { NotAvailable } from './post-image.tsx'
import classes from './post-video.module.css'
import type { MediaPreview } from './queries.ts'

type Props = { url: string | undefined; label: string; className?: string; preview?: MediaPreview | undefined }

/** A video of a post or a message (POST-16): with poster and streams where they have been made, and the captions that its creator gave it. */
export function PostVideo({ url, label, className = '', preview }: Props) {
  const [broken, setBroken] = useState<string>()
  if (!url || broken === url)
    return (
      <div className={className}>
        <NotAvailable text={postTexts.videoNotAvailable} />
      </div>
    )
  return (
    <VideoPlayer
      src={url}
      label={label}
      poster={preview?.stream ? sized(url, 960) : undefined}
      stream={preview?.stream ? streamOf(url) : undefined}
      captions={preview?.captions?.map((language) => captionsOf(url, language))}
      remember={pathOf(url)}
      className={`${classes.video} ${className}`}
      onFailed={() => setBroken(url)}
    />
  )
}

/** What stays of a link when the next one is signed. */
const pathOf = (url: string): string => url.split('?')[0]?.split('/object/sign/')[1] ?? ''
