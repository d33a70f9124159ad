import { useMemo } from 'react'
import { thumbHashToDataURL } from 'thumbhash'
import classes from './blurred-preview.module.css'

type Props = {
  /** A ThumbHash in base64, as `posts.media_previews` has it. */
  preview: string
}

/** All that is known of a picture that has not come, or may not: its colours and rough shapes (POST-10). Fills its place. */
export function BlurredPreview({ preview }: Props) {
  const url = useMemo(
    () => thumbHashToDataURL(Uint8Array.from(atob(preview), (letter) => letter.charCodeAt(0))),
    [preview],
  )
  return <img className={classes.preview} src={url} alt="" aria-hidden="true" data-blurred-preview="" />
}
