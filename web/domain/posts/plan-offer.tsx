import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { use } from 'react'
import { Link } from 'react-router'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { useSubscribe } from '../subscriptions/use-subscribe.ts'
import { describeMedia } from './describe-media.ts'
import classes from './locked-post.module.css'
import type { Post } from './queries.ts'
import { PostOffers } from './unlocks.tsx'

const texts = postTexts.locked

/**
 * What unlocks a post for subscribers, for how much, and what else comes with it: once per run of locked posts, and then only the button
 * (LOOP-14). Without a plan that opens it, the creator.
 */
export function PlanOffer({ post, look }: { post: Post; look: 'filled' | 'default' }) {
  const subscribe = useSubscribe()
  const { unlock, pending = false, isRepeated = false } = use(PostOffers).get(post.id) ?? {}
  const media = post.media_types.length > 0 && describeMedia(post.media_types, post.media_previews)
  const planId = unlock?.plan_id ?? post.required_tier_id
  return (
    // Takes its room while loading, so that nothing moves.
    <div className={classes.offer} data-pending={pending}>
      {!isRepeated && (
        <p className={classes.text} dir="auto">
          {unlock ? texts.plan(unlock.plan_name) : texts.subscription(nameOf(post.creator))}
        </p>
      )}
      {unlock && !isRepeated && <p className={classes.price}>{priceOf(unlock)}</p>}
      <p className={classes.media}>
        {unlock && unlock.more_posts > 0 && !isRepeated
          ? `${media || texts.thisPost} ${texts.more(unlock.more_posts)}`
          : media}
      </p>
      {unlock?.is_subscribed ? (
        <Button component={Link} to={paths.plans(addressOf(post.creator))} mt="sm" variant={look}>
          {texts.changePlan}
        </Button>
      ) : (
        planId && (
          <Button mt="sm" variant={look} onClick={() => subscribe.start(planId)} loading={subscribe.pending === planId}>
            {postTexts.subscribe}
          </Button>
        )
      )}
    </div>
  )
}

function priceOf({ price_cents, interval, trial_days }: { price_cents: number; interval: string; trial_days: number }) {
  const price = `${formatCents(price_cents)} / ${interval}`
  return trial_days > 0 ? texts.trial(trial_days, price) : price
}
