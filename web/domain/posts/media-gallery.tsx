import { postTexts } from '@ovation/contract/texts/posts'
import { lazy, Suspense, useState } from 'react'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import classes from './media-gallery.module.css'
import { mediaShape, shownInCard } from './media-shape.ts'
import { PostImage } from './post-image.tsx'
import { PostVideo } from './post-video.tsx'
import type { MediaPreview } from './queries.ts'

const Lightbox = lazy(() => import('./lightbox.tsx'))

type Props = {
  paths: string[]
  types: ('image' | 'video')[]
  previews: MediaPreview[]
  media: MediaLinksState
  creator: string
  /** Whether it is at the top of the screen and loads at once. */
  eager: boolean
}

/** The pictures and videos of a post (POST-03, POST-15, POST-16). */
export function MediaGallery({ paths, types, previews, media, creator, eager }: Props) {
  const [open, setOpen] = useState<number>()
  if (paths.length === 0) return null

  const items = paths.map((path, index) => ({
    path,
    type: types[index] ?? 'image',
    preview: previews[index],
    url: media.links.get(path),
  }))
  const shown = items.slice(0, shownInCard)
  const hidden = items.length - shown.length

  return (
    <div
      className={classes.gallery}
      data-count={shown.length}
      style={{ aspectRatio: mediaShape(items.length, previews[0]) }}
    >
      {shown.map(({ path, type, url, preview }, index) => {
        const last = index === shown.length - 1 && hidden > 0
        if (media.pending) return <div key={path} className={`${classes.tile} ${classes.pending}`} />
        if (type === 'video' && !last)
          return (
            <PostVideo
              key={path}
              className={classes.tile}
              url={url}
              preview={preview}
              label={postTexts.videoLabel(creator)}
            />
          )
        return (
          <button
            key={path}
            type="button"
            className={`${classes.tile} ${classes.button}`}
            aria-label={(type === 'image' ? postTexts.openImage : postTexts.openMedia)(index + 1, items.length)}
            onClick={() => setOpen(index)}
          >
            {type === 'image' ? (
              <PostImage
                url={url}
                alt={postTexts.imageAlt(index + 1, items.length, creator)}
                eager={eager && index === 0}
              />
            ) : (
              <span className={classes.dark} />
            )}
            {last && <span className={classes.more} data-more={postTexts.moreMedia(hidden)} />}
          </button>
        )
      })}
      {open !== undefined && (
        <Suspense>
          <Lightbox items={items} creator={creator} index={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
