import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { formatLength } from '../lib/format/format-length.ts'
import classes from './video-mark.module.css'

/** On the poster of a video that isn't playing: a play symbol and its length, in seconds. Fills its container. */
export function VideoMark({ duration }: { duration: number | undefined }) {
  return (
    <span className={classes.mark} aria-hidden="true">
      <span className={classes.glyph}>
        <IconPlayerPlayFilled size={26} />
      </span>
      {duration !== undefined && duration > 0 && <span className={classes.length}>{formatLength(duration)}</span>}
    </span>
  )
}
