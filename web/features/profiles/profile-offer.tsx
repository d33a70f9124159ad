import { Skeleton } from '@mantine/core'
import { offerTexts } from '@ovation/contract/texts/offers'
import { profileTexts } from '@ovation/contract/texts/profile'
import { lazy, Suspense } from 'react'
import { describeOffer, endOfOffer, OfferPrice } from '../../domain/offers/offer-price.tsx'
import { formatCents } from '../../lib/format/format-number.ts'
import classes from './profile-offer.module.css'
import { SubscribeButton } from './subscribe-button.tsx'
import type { Offer } from './use-offer.ts'

// Most visitors don't subscribe.
const OwnPlan = lazy(() => import('./own-plan.tsx'))

const texts = profileTexts.offer

type Props = {
  offer: Offer
  /** The profile's segment of the URL. */
  address: string
  /** On a phone, the button is in the bar at the bottom. */
  withButton: boolean
  /** Whether the plans' tab is open. */
  showsPlans: boolean
}

/** The creator's plans in the head of the profile, or the viewer's own (LOOP-05). */
export default function ProfileOffer({ offer, address, withButton, showsPlans }: Props) {
  if (offer.state === 'none') return null
  const placeholder = <Skeleton className={classes.placeholder ?? ''} radius="lg" />
  if (offer.state === 'pending') return placeholder
  if (offer.state === 'subscribed')
    return (
      <Suspense fallback={placeholder}>
        <OwnPlan subscription={offer.subscription} address={address} />
      </Suspense>
    )
  const { plans, cheapest, trialDays } = offer
  return (
    <section className={`surface ${classes.offer}`} aria-label={texts.label}>
      <div className={classes.text}>
        <p className={classes.name} dir="auto">
          {plans.map(({ name }) => name).join(', ')}
        </p>
        {offer.offer ? (
          <>
            <p className={classes.price}>
              <OfferPrice offer={offer.offer} interval={cheapest.interval} />
            </p>
            <p className={classes.line}>{describeOffer(offer.offer, cheapest.interval)}</p>
            <p className={classes.line}>
              {endOfOffer(offer.offer)} · {offerTexts.cancelAnytime}
            </p>
          </>
        ) : (
          <p className={`${classes.line} ${classes.description}`} dir="auto">
            {trialDays > 0
              ? texts.trialLine(trialDays, priceOf(offer))
              : (plans.length === 1 && cheapest.description) || texts.line(plans.length)}
          </p>
        )}
      </div>
      {withButton && <SubscribeButton offer={offer} address={address} showsPlans={showsPlans} />}
    </section>
  )
}

const priceOf = ({ cheapest: { price_cents, interval } }: Extract<Offer, { state: 'open' }>): string =>
  `${formatCents(price_cents)} / ${interval}`
