import { exploreTexts } from '@ovation/contract/texts/discover'
import { formatCents } from '../../lib/format/format-number.ts'
import classes from './creator-price.module.css'
import type { ShownCreator } from './explore-queries.ts'

/** The trial and the price after it, or the price, or "Free" (EXPL-11, D36, LOOP-09). */
export function CreatorPrice({ creator: { subscription_price, trial_days } }: { creator: ShownCreator }) {
  if (subscription_price === null) return <span className={classes.price}>{exploreTexts.free}</span>
  const amount = formatCents(Math.round(subscription_price * 100))
  return (
    <span className={classes.line}>
      <span className={classes.price}>{trial_days ? exploreTexts.trial(trial_days) : amount}</span>{' '}
      <span className={classes.interval}>
        {trial_days ? exploreTexts.afterTrial(`${amount} ${exploreTexts.perMonth}`) : exploreTexts.perMonth}
      </span>
    </span>
  )
}
