import { commonTexts } from '@ovation/contract/texts/common'
import { postTexts } from '@ovation/contract/texts/posts'
import Lightbox, { type Slide } from 'yet-another-react-lightbox'
import Counter from 'yet-another-react-lightbox/plugins/counter'
import Video from 'yet-another-react-lightbox/plugins/video'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import 'yet-another-react-lightbox/plugins/counter.css'

type Item = { path: string; type: 'image' | 'video'; url: string | undefined }
type Props = { items: Item[]; creator: string; index: number; onClose: () => void }

/** The whole picture, the whole gallery: arrow keys, swipe, zoom, Escape (POST-15). */
export default function PostLightbox({ items, creator, index, onClose }: Props) {
  const slides = items.map(
    ({ type, url = '' }, position): Slide =>
      type === 'video'
        ? { type: 'video', controls: true, playsInline: true, sources: [{ src: url, type: 'video/mp4' }] }
        : { type: 'image', src: url, alt: postTexts.imageAlt(position + 1, items.length, creator) },
  )
  return (
    <Lightbox
      open
      close={onClose}
      index={index}
      slides={slides}
      plugins={[Video, Zoom, ...(items.length > 1 ? [Counter] : [])]}
      carousel={{ finite: true, preload: 1 }}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
      render={items.length > 1 ? {} : { buttonPrev: () => null, buttonNext: () => null }}
      labels={{ Close: commonTexts.close, Lightbox: postTexts.gallery }}
    />
  )
}
