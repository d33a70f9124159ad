import { postTexts } from '@ovation/contract/texts/posts'
import { type ComponentProps, type SyntheticEvent, useState } from 'react'
import { NotAvailable } from './post-image.tsx'
import classes from './post-video.module.css'

type Props = { url: string | undefined; label: string; className?: string }

/** The browser's own player: keyboard, full screen and picture in picture come with it (POST-16). */
export function PostVideo({ url, label, className = '' }: Props) {
  const [broken, setBroken] = useState<string>()
  if (!url || broken === url)
    return (
      <div className={className}>
        <NotAvailable text={postTexts.videoNotAvailable} />
      </div>
    )
  const player: ComponentProps<'video'> = {
    src: url,
    controls: true,
    playsInline: true,
    preload: 'metadata',
    onPlay: pauseOthers,
    onError: () => setBroken(url),
  }
  return <video {...player} className={`${classes.video} ${className}`} aria-label={label} />
}

/** One video plays at a time. */
function pauseOthers({ currentTarget }: SyntheticEvent<HTMLVideoElement>): void {
  for (const video of document.querySelectorAll('video')) if (video !== currentTarget) video.pause()
}
