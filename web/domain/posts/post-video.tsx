import { postTexts } from '@ovation/contract/texts/posts'
import { type CSSProperties, useState } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { captionsOf, fileOf, sized, streamOf } from '../../lib/media/media-links.ts'
import { noteProgress } from '../../lib/media/media-progress.ts'
import { VideoPlayer } from '../../ui/video-player.tsx'
import { NotAvailable } from './post-image.tsx'
import type { MediaPreview } from './queries.ts'

type Props = {
  url: string | undefined
  label: string
  className?: string
  style?: CSSProperties
  preview?: MediaPreview | undefined
  autoPlay?: boolean
}

/** A video of a post or a message (POST-16, LOOP-12), with its poster and stream, if they were made, and its captions. */
export function PostVideo({ url, label, className = '', style = {}, preview, autoPlay = false }: Props) {
  const viewer = useViewer()
  const [broken, setBroken] = useState<string>()
  // A playing video keeps its link: a renewed one would restart it. It switches when the old one fails.
  const [held, setHeld] = useState<string>()
  const link = held && url && fileOf(held) === fileOf(url) ? held : url
  if (!link || broken === link)
    return (
      <div className={className} style={style}>
        <NotAvailable text={postTexts.videoNotAvailable} />
      </div>
    )
  return (
    <VideoPlayer
      src={link}
      label={label}
      // The poster and the size are known at the same time; streams come later.
      poster={preview?.preview ? sized(link, 960) : undefined}
      preview={preview?.preview}
      duration={preview?.duration}
      stream={preview?.stream ? streamOf(link) : undefined}
      captions={preview?.captions?.map((language) => captionsOf(link, language))}
      remember={fileOf(link)}
      className={className}
      style={style}
      autoPlay={autoPlay}
      onStarted={() => setHeld(link)}
      onProgress={viewer ? (at, duration) => noteProgress(fileOf(link), at, duration) : undefined}
      onFailed={() => {
        if (link === url) setBroken(link)
        setHeld(link === url ? undefined : url)
      }}
    />
  )
}
