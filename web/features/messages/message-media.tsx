import { Skeleton } from '@mantine/core'
import { postTexts } from '@ovation/contract/texts/posts'
import { lazy, Suspense, useState } from 'react'
import type { Message } from '../../domain/messages/queries.ts'
import { PostImage } from '../../domain/posts/post-image.tsx'
import { PostVideo } from '../../domain/posts/post-video.tsx'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import classes from './message-media.module.css'

const Lightbox = lazy(() => import('../../domain/posts/lightbox.tsx'))

type Props = { message: Message; media: MediaLinksState; name: string }

/** A message's photos and videos, each with its own aspect ratio; the lightbox shows them all. */
export function MessageMedia({ message: { media_urls, media_types, media_previews }, media, name }: Props) {
  const [open, setOpen] = useState<number>()
  if (media_urls.length === 0) return null
  const items = media_urls.map((path, index) => ({
    path,
    type: media_types[index] ?? ('image' as const),
    preview: media_previews[index],
    url: media.links.get(path),
  }))
  return (
    <div className={classes.media} data-count={Math.min(items.length, 2)}>
      {items.map(({ path, type, url, preview }, index) =>
        media.pending ? (
          <Skeleton key={path} className={classes.tile} radius={0} height="auto" />
        ) : type === 'video' ? (
          <PostVideo
            key={path}
            className={classes.tile}
            url={url}
            preview={preview}
            label={postTexts.videoLabel(name)}
          />
        ) : (
          <button
            key={path}
            type="button"
            className={`${classes.tile} ${classes.button}`}
            aria-label={postTexts.openImage(index + 1, items.length)}
            onClick={() => setOpen(index)}
          >
            <PostImage url={url} alt={postTexts.imageAlt(index + 1, items.length, name)} />
          </button>
        ),
      )}
      {open !== undefined && (
        <Suspense>
          <Lightbox items={items} creator={name} index={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
