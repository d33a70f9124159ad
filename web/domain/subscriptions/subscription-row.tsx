import { Anchor, Badge } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { offerTexts } from '@ovation/contract/texts/offers'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { Link } from 'react-router'
import { formatDate, formatExact } from '../../lib/format/format-date.ts'
import { PersonRow } from '../../ui/person-row.tsx'
import { PriceTag } from '../../ui/price-tag.tsx'
import { PrivateFeedButton } from '../private-feeds/private-feed-button.tsx'
import { describeSubscription } from './describe-subscription.ts'
import classes from './my-subscriptions.module.css'
import { closesAt, type MySubscription } from './my-subscriptions.ts'
import { PriceNotice } from './price-notice.tsx'
import { stateColor } from './state-color.ts'
import { SubscriptionActions } from './subscription-actions.tsx'

const { mine } = subscriptionTexts

/** A subscription: its creator, plan, price, and next date. */
export function SubscriptionRow({ subscription }: { subscription: MySubscription }) {
  const { creator, plan, price_cents, interval_count, offer, confirmation } = subscription
  const { state, date } = describeSubscription(subscription)
  return (
    <PersonRow
      person={creator}
      mark={
        <Badge variant="light" color={stateColor(state)}>
          {mine.states[state]}
        </Badge>
      }
      action={<SubscriptionActions subscription={subscription} state={state} />}
    >
      <p className={`${classes.plan} facts`}>
        <span>{plan ? plan.name : mine.formerPlan}</span>
        {plan && !subscription.is_gift && (
          <PriceTag cents={price_cents} interval={plan.interval} count={interval_count} />
        )}
      </p>
      {state !== 'ended' && (
        <div className={classes.links}>
          <Anchor component={Link} to={paths.premiumOf(creator.id)} size="sm" className="reach">
            {mine.premium}
          </Anchor>
          {/* A subscription whose payment failed may give no access. */}
          {closesAt(subscription.access_until) > Date.now() && <PrivateFeedButton creator={creator} />}
        </div>
      )}
      {date && <p className={classes.date}>{date}</p>}
      {state !== 'ended' && offer?.until && Date.parse(offer.until) > Date.now() && (
        <p className={classes.date}>{offerTexts.runs(offer.percent_off, formatDate(offer.until))}</p>
      )}
      {plan && <PriceNotice subscription={subscription} interval={plan.interval} />}
      {confirmation?.plan_name && confirmation.expires_at && (
        <p className={classes.date}>{mine.switchWaits(confirmation.plan_name, formatExact(confirmation.expires_at))}</p>
      )}
    </PersonRow>
  )
}
