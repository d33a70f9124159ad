import { Badge, Button, Skeleton } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { profileTexts } from '@ovation/contract/texts/profile'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { Link } from 'react-router'
import { describeSubscription, type MySubscription } from '../../domain/subscriptions/my-subscriptions.ts'
import { stateColor } from '../../domain/subscriptions/state-color.ts'
import { formatCents, formatDate } from '../../lib/format/format.ts'
import { PriceTag } from '../../ui/price-tag.tsx'
import classes from './profile-offer.module.css'
import { SubscribeButton } from './subscribe-button.tsx'
import type { Offer } from './use-offer.ts'

const texts = profileTexts.offer
const { mine } = subscriptionTexts

type Props = {
  offer: Offer
  /** The profile's segment of the URL. */
  address: string
  /** On a phone, the button is in the bar at the bottom. */
  withButton: boolean
}

/** The creator's plans in the head of the profile, or the viewer's own (LOOP-05). */
export function ProfileOffer({ offer, address, withButton }: Props) {
  if (offer.state === 'none') return null
  if (offer.state === 'pending') return <Skeleton className={classes.placeholder ?? ''} radius="lg" />
  if (offer.state === 'subscribed') return <OwnPlan subscription={offer.subscription} address={address} />
  const { plans, cheapest, trialDays } = offer
  return (
    <section className={`surface ${classes.offer}`} aria-label={texts.label}>
      <div className={classes.text}>
        <p className={classes.name} dir="auto">
          {plans.map(({ name }) => name).join(', ')}
        </p>
        <p className={classes.line} dir="auto">
          {trialDays > 0
            ? texts.trialLine(trialDays, priceOf(offer))
            : (plans.length === 1 && cheapest.description) || texts.line(plans.length)}
        </p>
      </div>
      {withButton && <SubscribeButton offer={offer} address={address} />}
    </section>
  )
}

const priceOf = ({ cheapest: { price_cents, interval } }: Extract<Offer, { state: 'open' }>): string =>
  `${formatCents(price_cents)} / ${interval}`

function OwnPlan({ subscription, address }: { subscription: MySubscription; address: string }) {
  const { plan, trial_end, access_until } = subscription
  const { state, date } = describeSubscription(subscription)
  const isTrial = state === 'trial' && plan
  return (
    <section className={`surface ${classes.offer}`} aria-label={texts.yourPlan}>
      <div className={classes.text}>
        <p className={classes.name} dir="auto">
          {plan ? plan.name : mine.formerPlan}{' '}
          <Badge component="span" variant="light" color={stateColor(state)}>
            {state === 'active' ? texts.subscribed : mine.states[state]}
          </Badge>
        </p>
        <p className={`${classes.line} facts`}>
          {isTrial ? (
            <span>
              {texts.trialUntil(
                formatDate(trial_end ?? access_until),
                `${formatCents(plan.price_cents)} / ${plan.interval}`,
              )}
            </span>
          ) : (
            <>
              {plan && <PriceTag cents={plan.price_cents} interval={plan.interval} />}
              {date && <span>{date}</span>}
            </>
          )}
        </p>
      </div>
      <Button
        component={Link}
        to={state === 'active' || state === 'trial' ? paths.plans(address) : paths.subscriptions}
        variant="default"
        className={classes.button ?? ''}
      >
        {state === 'active' || state === 'trial' ? texts.change : texts.manage}
      </Button>
    </section>
  )
}
