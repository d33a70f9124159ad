import { useMemo } from 'react'
import { thumbHashToDataURL } from 'thumbhash'
import classes from './blurred-preview.module.css'

type Props = {
  /** A ThumbHash in base64, from `posts.media_previews`. */
  preview: string
}

/** Fills the place of an image that hasn't loaded or is locked with its rough colors and shapes (POST-10). */
export function BlurredPreview({ preview }: Props) {
  const url = useMemo(
    () => thumbHashToDataURL(Uint8Array.from(atob(preview), (letter) => letter.charCodeAt(0))),
    [preview],
  )
  return <img className={classes.preview} src={url} alt="" aria-hidden="true" data-blurred-preview="" />
}
