import { useState } from 'react'
import { type MediaLinks, sized } from '../../lib/media/media-links.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import classes from './post-thumbnail.module.css'
import type { MediaPreview } from './queries.ts'

/** Sharp on a 3x screen. */
const width = 144

type Props = {
  post: { media_urls: string[]; media_previews: Pick<MediaPreview, 'preview'>[] }
  links: MediaLinks
  className?: string | undefined
}

/** The first picture of a post, or the poster of its video (LOOP-17). Of a locked post, the blurred preview that everyone sees. */
export function PostThumbnail({ post, links, className = '' }: Props) {
  const [broken, setBroken] = useState<string>()
  const [path] = post.media_urls
  const link = path && links.get(path)
  const preview = post.media_previews[0]?.preview
  if (!preview && !path) return null
  return (
    <span className={`${classes.thumbnail} ${className}`} aria-hidden="true">
      {preview && <BlurredPreview preview={preview} />}
      {link && link !== broken && (
        <img src={sized(link, width)} alt="" loading="lazy" decoding="async" onError={() => setBroken(link)} />
      )}
    </span>
  )
}
