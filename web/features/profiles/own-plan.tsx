import { Badge, Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { profileTexts } from '@ovation/contract/texts/profile'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { Link } from 'react-router'
import { describeSubscription } from '../../domain/subscriptions/describe-subscription.ts'
import type { MySubscription } from '../../domain/subscriptions/my-subscriptions.ts'
import { stateColor } from '../../domain/subscriptions/state-color.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { formatPeriod } from '../../lib/format/format-period.ts'
import { PriceTag } from '../../ui/price-tag.tsx'
import classes from './profile-offer.module.css'

const texts = profileTexts.offer
const { mine } = subscriptionTexts

/** The viewer's plan with its next date, in place of the creator's plans (LOOP-05). */
export default function OwnPlan({ subscription, address }: { subscription: MySubscription; address: string }) {
  const { plan, price_cents, interval_count, trial_end, access_until } = subscription
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
                `${formatCents(price_cents)} / ${formatPeriod(plan.interval, interval_count)}`,
              )}
            </span>
          ) : (
            <>
              {plan && <PriceTag cents={price_cents} interval={plan.interval} count={interval_count} />}
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
