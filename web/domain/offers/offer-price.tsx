import { VisuallyHidden } from '@mantine/core'
import type { Interval } from '@ovation/contract/limits'
import { offerTexts as texts } from '@ovation/contract/texts/offers'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import { formatPeriod } from '../../lib/format/format-period.ts'
import { PriceTag } from '../../ui/price-tag.tsx'
import classes from './offers.module.css'
import type { PlanOffer } from './plan-offers.ts'

type Props = { offer: PlanOffer; interval: Interval }

/** The full price struck through, and the price now; of a term, by the month (OFFER-04). */
export function OfferPrice({ offer: { price_cents, offer_cents, interval_count }, interval }: Props) {
  return (
    <span className={classes.prices}>
      <VisuallyHidden>{texts.before} </VisuallyHidden>
      <s className={classes.before}>{formatCents(Math.round(price_cents / interval_count))}</s>{' '}
      <VisuallyHidden>{texts.now} </VisuallyHidden>
      <PriceTag cents={Math.round(offer_cents / interval_count)} interval={interval} />
    </span>
  )
}

/** For how long, and what follows: "40% off for your first 2 months, then $10.00 / month". */
export const describeOffer = ({ percent_off, periods, price_cents, interval_count }: PlanOffer, interval: Interval) =>
  `${texts.off(percent_off)} ${texts.first(periods, interval, interval_count)}, ${texts.after(`${formatCents(price_cents)}\u00a0/\u00a0${formatPeriod(interval, interval_count)}`)}`

/** When the offer ends: its date, how many can still take it, or both. */
export const endOfOffer = ({ ends_at, places_left }: PlanOffer): string =>
  [ends_at && texts.ends(formatDate(ends_at)), places_left !== null && texts.left(formatCount(places_left))]
    .filter(Boolean)
    .join(' · ')
