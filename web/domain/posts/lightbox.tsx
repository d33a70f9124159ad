import { commonTexts } from '@ovation/contract/texts/common'
import { postTexts } from '@ovation/contract/texts/posts'
import { type CSSProperties, type KeyboardEvent, type SyntheticEvent, useRef } from 'react'
import Lightbox, { type GenericSlide, type Slide } from 'yet-another-react-lightbox'
import Counter from 'yet-another-react-lightbox/plugins/counter'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import 'yet-another-react-lightbox/plugins/counter.css'
import { sized } from '../../lib/media/media-links.ts'
import { pauseOthers } from '../../ui/pause-others.ts'
import classes from './lightbox.module.css'
import { NotAvailable } from './post-image.tsx'
import { PostVideo } from './post-video.tsx'
import type { MediaPreview } from './queries.ts'

type Item = { path: string; type: 'image' | 'video'; url: string | undefined; preview?: MediaPreview | undefined }
type Props = { items: Item[]; creator: string; index: number; onClose: () => void }

declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    item: ItemSlide
  }
  interface ItemSlide extends GenericSlide {
    type: 'item'
    item: Item
  }
}

/** A picture whose link couldn't be signed shows as not available, like one that doesn't load (POST-14). */
const slideOf = (item: Item, alt: string): Slide =>
  item.type === 'image' && item.url
    ? { type: 'image', src: item.url, alt: item.preview?.alt ?? alt, ...sourcesOf(item.url, item.preview) }
    : { type: 'item', item }

/** Sharper renditions than a card's, and the original when zoomed in. A picture of unknown size has only the original. */
function sourcesOf(url: string, { width, height }: MediaPreview = {}) {
  if (!width || !height) return {}
  const smaller = [960, 1440, 2400].filter((side) => side < width)
  return {
    width,
    height,
    srcSet: [
      ...smaller.map((side) => ({
        src: `${sized(url, side)}&quality=90`,
        width: side,
        height: Math.round((side * height) / width),
      })),
      { src: url, width, height },
    ],
  }
}

/** All of a post's media in full size: arrow keys, swipe, zoom, Escape (POST-15). Videos use the card's player (POST-16). */
export default function PostLightbox({ items, creator, index, onClose }: Props) {
  const shown = useRef(false)
  return (
    <Lightbox
      open
      close={onClose}
      className={classes.lightbox ?? ''}
      index={index}
      slides={items.map((item, at) => slideOf(item, postTexts.imageAlt(at + 1, items.length, creator)))}
      plugins={[Zoom, ...(items.length > 1 ? [Counter] : [])]}
      carousel={{ finite: true, preload: 1 }}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
      // A video would keep playing in a slide that is out of view. The first slide that shows may play at once.
      on={{
        view: () => {
          if (shown.current) pauseOthers()
          shown.current = true
        },
      }}
      render={{
        slide: ({ slide }) =>
          slide.type === 'item' ? (
            <OtherSlide item={slide.item} creator={creator} autoPlay={slide.item === items[index]} />
          ) : undefined,
        iconError: Missing,
        ...(items.length > 1 ? {} : { buttonPrev: () => null, buttonNext: () => null }),
      }}
      labels={{ Close: commonTexts.close, Lightbox: postTexts.gallery }}
    />
  )
}

function OtherSlide({ item, creator, autoPlay }: { item: Item; creator: string; autoPlay: boolean }) {
  const { type, url, preview } = item
  if (type === 'image') return <Missing />
  const { width = 16, height = 9 } = preview ?? {}
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps arrow keys and swipes, which the player needs, from turning pages
    <div className={classes.player} onKeyDown={keepKeys} onPointerDown={stop} onTouchStart={stop} onWheel={stop}>
      <PostVideo
        className={classes.video}
        style={{ '--ratio': width / height } as CSSProperties}
        url={url}
        preview={preview}
        label={postTexts.videoLabel(creator)}
        autoPlay={autoPlay}
      />
    </div>
  )
}

const stop = (event: SyntheticEvent) => event.stopPropagation()
const keepKeys = (event: KeyboardEvent) => event.key.startsWith('Arrow') && event.stopPropagation()

const Missing = () => (
  <div className={classes.missing}>
    <NotAvailable text={postTexts.imageNotAvailable} />
  </div>
)
