import { nameOf } from '../../lib/auth/viewer.ts'
import { type MediaLinksState, sized } from '../../lib/media/media-links.ts'
import { croppedImage, publicImage } from '../../lib/media/public-image.ts'
import { toneOf } from '../../ui/profile-avatar.tsx'
import tones from '../../ui/tone.module.css'
import classes from './creator-picture.module.css'
import type { ShownCreator } from './explore-queries.ts'

type Props = {
  creator: ShownCreator
  /** The links of `pictures`, in one request for all cards around it. */
  media: MediaLinksState
}

/** A creator's cover, or up to three free pictures, or a band in the name's color (LOOP-09). Decorative: the name is below it. */
export function CreatorPicture({ creator, media }: Props) {
  const sources = sourcesOf(creator, media)
  return (
    <div className={`${classes.picture} ${tones.tone}`} data-tone={toneOf(nameOf(creator))} data-count={sources.length}>
      {sources.map((source) => (
        <img key={source} src={source} alt="" loading="lazy" decoding="async" />
      ))}
    </div>
  )
}

/** Twice the size on the screen, for sharp ones. */
function sourcesOf({ cover_url, updated_at, pictures }: ShownCreator, { links }: MediaLinksState): string[] {
  const cover = publicImage(cover_url, updated_at)
  if (cover) return [croppedImage(cover, 640, 480)]
  return (pictures ?? []).flatMap((path) => {
    const link = links.get(path)
    return link ? [sized(link, 480)] : []
  })
}
