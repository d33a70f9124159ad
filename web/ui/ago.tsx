import { formatAgo, formatExact } from '../lib/format.ts'
import classes from './marks.module.css'

/** A moment as people say it; the exact time shows on hover (POST-01). */
export function Ago({ at }: { at: string }) {
  return (
    <time className={classes.time} dateTime={at} title={formatExact(at)}>
      {formatAgo(at)}
    </time>
  )
}
