import type { Interval } from '@ovation/contract/limits'
import { formatCents } from '../lib/format/format-number.ts'
import classes from './marks.module.css'

/** `$9.99 / month` (PROF-15). Without an interval, the amount alone. */
export function PriceTag({ cents, interval }: { cents: number; interval?: Interval }) {
  return (
    <span className={classes.price}>
      <span className={classes.amount}>{formatCents(cents)}</span>
      {interval && <span className={classes.interval}> / {interval}</span>}
    </span>
  )
}
