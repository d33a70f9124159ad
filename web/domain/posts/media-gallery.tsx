import { postTexts } from '@ovation/contract/texts/posts'
import { type CSSProperties, lazy, Suspense, useState } from 'react'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import classes from './media-gallery.module.css'
import { layOutCard, layOutPage } from './media-layout.ts'
import { type MediaPlace, PostImage } from './post-image.tsx'
import type { MediaPreview } from './queries.ts'

const Lightbox = lazy(() => import('./lightbox.tsx'))
// Loads with the first video: most posts have none.
const VideoPoster = lazy(() => import('./video-poster.tsx'))
const PostVideo = lazy(() => import('./post-video.tsx').then((module) => ({ default: module.PostVideo })))

type Props = {
  paths: string[]
  types: ('image' | 'video')[]
  previews: MediaPreview[]
  media: MediaLinksState
  creator: string
  /** On the post's own page, all files show, none of them cropped. It is at the top of the screen, so the first one loads at once. */
  place?: MediaPlace
}

type Item = { path: string; type: 'image' | 'video'; preview: MediaPreview | undefined; url: string | undefined }

/** Pictures and videos in rows that follow their shapes (LOOP-11, POST-03, POST-15, POST-16). */
export function MediaGallery({ paths, types, previews, media, creator, place = 'list' }: Props) {
  const [open, setOpen] = useState<number>()
  if (paths.length === 0) return null

  const items = paths.map(
    (path, index): Item => ({
      path,
      type: types[index] ?? 'image',
      preview: previews[index],
      url: media.links.get(path),
    }),
  )
  const { rows, shape } = layOut(place, items)
  const shown = items.slice(0, rows.flatMap(({ ratios }) => ratios).length)
  const only = shown.length === 1 && shown[0]?.type === 'image' ? shown[0].preview?.preview : undefined

  return (
    <div className={classes.gallery} data-place={place}>
      {/* While a picture loads, and beside one that is narrower than the card. */}
      {only && <BlurredPreview preview={only} />}
      <div className={classes.rows} style={{ '--shape': shape } as CSSProperties}>
        {rows.map(({ from, ratios }) => {
          const sum = ratios.reduce((total, ratio) => total + ratio, 0)
          return (
            <div key={from} className={classes.row} style={styleOfRow(sum, ratios.length === 1 && items[from])}>
              {shown.slice(from, from + ratios.length).map((item, column) => {
                const index = from + column
                const ratio = ratios[column] ?? 1
                return (
                  <div key={item.path} className={classes.tile} style={{ aspectRatio: ratio, flexGrow: ratio / sum }}>
                    {media.pending ? (
                      <div className={classes.pending} />
                    ) : (
                      <Tile
                        {...{ item, index, place, creator }}
                        total={items.length}
                        share={ratio / sum}
                        hidden={index === shown.length - 1 ? items.length - shown.length : 0}
                        onOpen={() => setOpen(index)}
                      />
                    )}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
      {open !== undefined && (
        <Suspense>
          <Lightbox items={items} creator={creator} index={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

function layOut(place: MediaPlace, items: readonly Item[]) {
  if (place === 'page') return layOutPage(items)
  return place === 'message' ? layOutCard(items, 0) : layOutCard(items)
}

const labels = { image: postTexts.openImage, video: postTexts.playVideo, more: postTexts.openMedia }

/** `"Open photo 1 of 3: A pier in the fog"`: the button has the words of its picture. */
const labelOf = (label: string, preview: MediaPreview | undefined): string =>
  preview?.alt ? `${label}: ${preview.alt}` : label

/** @param only a row's only file, whose own width the page respects. */
function styleOfRow(sum: number, only: Item | false | undefined) {
  const width = only && only.type === 'image' && only.preview?.width
  return { '--sum': sum, ...(width && { '--natural': `${width}px` }) } as CSSProperties
}

type TileProps = {
  item: Item
  index: number
  total: number
  /** The part of the gallery's width that it takes, from 0 to 1. */
  share: number
  place: MediaPlace
  creator: string
  /** How many more files there are, which don't show. */
  hidden: number
  onOpen: () => void
}

function Tile({ item: { type, url, preview }, index, total, share, place, creator, hidden, onOpen }: TileProps) {
  // In a group, it is too small for its controls: it plays in the lightbox.
  if (type === 'video' && (total === 1 || place === 'page'))
    return (
      <Suspense fallback={<div className={classes.pending} />}>
        <PostVideo url={url} preview={preview} label={postTexts.videoLabel(creator)} />
      </Suspense>
    )
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={labelOf(labels[hidden > 0 ? 'more' : type](index + 1, total), preview)}
      onClick={onOpen}
    >
      {type === 'image' ? (
        <PostImage
          url={url}
          alt={preview?.alt ?? postTexts.imageAlt(index + 1, total, creator)}
          eager={place === 'page' && index === 0}
          place={place}
          share={share}
          focus={preview?.focus}
        />
      ) : (
        <Suspense>
          <VideoPoster url={url} preview={preview} plain={hidden > 0} />
        </Suspense>
      )}
      {hidden > 0 && <span className={classes.more} data-more={postTexts.moreMedia(hidden)} />}
    </button>
  )
}
