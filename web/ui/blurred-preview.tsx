import { thumbHashToDataURL } from 'thumbhash'
import classes from './blurred-preview.module.css'

type Props = {
  /** A ThumbHash in base64, from `posts.media_previews`. */
  preview: string
}

const drawn = new Map<string, string>()
const mostDrawn = 500

/** Kept, because drawing one takes longer than rendering the post around it. */
function draw(preview: string): string {
  const known = drawn.get(preview)
  if (known !== undefined) return known
  if (drawn.size >= mostDrawn) drawn.clear()
  const url = thumbHashToDataURL(Uint8Array.from(atob(preview), (character) => character.charCodeAt(0)))
  drawn.set(preview, url)
  return url
}

/** Fills the place of an image that hasn't loaded or is locked with its rough colors and shapes (POST-10). */
export function BlurredPreview({ preview }: Props) {
  const url = draw(preview)
  return <img className={classes.preview} src={url} alt="" aria-hidden="true" data-blurred-preview="" />
}
