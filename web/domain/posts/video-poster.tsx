import { sized } from '../../lib/media/media-links.ts'
import { VideoMark } from '../../ui/video-mark.tsx'
import type { MediaPreview } from './queries.ts'
import classes from './video-poster.module.css'

type Props = {
  url: string | undefined
  preview: MediaPreview | undefined
  /** Without the play symbol, because something else covers it. */
  plain?: boolean
}

/** A video in a group or a grid: its poster, if it was made, a play symbol, and its length. */
export default function VideoPoster({ url, preview, plain = false }: Props) {
  return (
    <span className={classes.poster}>
      {url && preview?.preview && <img src={sized(url, 960)} alt="" loading="lazy" decoding="async" />}
      {!plain && <VideoMark duration={preview?.duration} />}
    </span>
  )
}
