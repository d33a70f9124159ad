import { Badge } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { Link } from 'react-router'
import { publicImage } from '../../lib/public-image.ts'
import { addressOf, nameOf } from '../../lib/viewer.ts'
import { PriceTag } from '../../ui/price-tag.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import classes from './my-subscriptions.module.css'
import { describeSubscription, type MySubscription, type SubscriptionState } from './my-subscriptions.ts'
import { SubscriptionActions } from './subscription-actions.tsx'

const { mine } = subscriptionTexts
const colors: Record<SubscriptionState, string> = {
  active: 'teal',
  trial: 'teal',
  past_due: 'yellow',
  ending: 'gray',
  ended: 'gray',
}

/** One subscription: whose, which plan, what it costs, and when it renews or ends. */
export function SubscriptionRow({ subscription }: { subscription: MySubscription }) {
  const { creator, plan } = subscription
  const { state, date } = describeSubscription(subscription)
  const name = nameOf(creator)
  const address = addressOf(creator)
  return (
    <li className={`surface ${classes.row}`}>
      <Link to={paths.profile(address)} tabIndex={-1} aria-hidden="true" className={classes.avatar}>
        <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={52} />
      </Link>
      <div className={classes.words}>
        <div className={classes.nameLine}>
          <Link to={paths.profile(address)} className={classes.name}>
            {name}
          </Link>
          {creator.is_verified && <VerifiedBadge />}
          <Badge variant="light" color={colors[state]} className={classes.state} data-state={state}>
            {mine.states[state]}
          </Badge>
        </div>
        <p className={classes.plan}>
          {plan ? (
            <>
              {plan.name} · <PriceTag cents={plan.price_cents} interval={plan.interval} />
            </>
          ) : (
            mine.formerPlan
          )}
        </p>
        {date && <p className={classes.date}>{date}</p>}
      </div>
      <SubscriptionActions subscription={subscription} state={state} />
    </li>
  )
}
