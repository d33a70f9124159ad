import type { Interval } from '@ovation/contract/limits'
import { formatCents } from '../lib/format/format-number.ts'
import { formatPeriod } from '../lib/format/format-period.ts'
import classes from './marks.module.css'

type Props = {
  cents: number
  interval?: Interval
  /** How many intervals the price covers. */
  count?: number
}

/** `$9.99 / month` (PROF-15), or `$27.00 / 3 months`. Without an interval, the amount alone. */
export function PriceTag({ cents, interval, count }: Props) {
  return (
    <span className={classes.price}>
      <span className={classes.amount}>{formatCents(cents)}</span>
      {interval && <span className={classes.interval}> / {formatPeriod(interval, count)}</span>}
    </span>
  )
}
