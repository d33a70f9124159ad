import { Badge } from '@mantine/core'
import { profileTabsTexts } from '@ovation/contract/texts/profile-tabs'
import { nameOf } from '../../lib/auth/viewer.ts'
import { postCover } from '../../lib/media/public-image.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import { PriceTag } from '../../ui/price-tag.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { CreatorCover } from '../creators/creator-cover.tsx'
import { describeMedia } from '../posts/describe-media.ts'
import { PlanBenefits } from '../subscriptions/plan-benefits.tsx'
import classes from './action-card.module.css'
import type { ActionTarget } from './action-target.ts'

/**
 * Who and what an action is about: the creator, and the plan or post with its price. The username is always beside the name, because
 * names can imitate each other and usernames can't.
 */
export default function ActionCard({ target: { creator, plan, post } }: { target: ActionTarget }) {
  return (
    <article className={`surface ${classes.card}`}>
      <CreatorCover creator={creator} compactOnPhone />
      <div className={classes.names}>
        <p className={classes.name}>
          <bdi>{nameOf(creator)}</bdi> {creator.is_verified && <VerifiedBadge />}
        </p>
        {creator.username && <p className={classes.handle}>@{creator.username}</p>}
      </div>
      {plan ? <PlanLine plan={plan} /> : post ? <PostLine post={post} /> : creator.bio && <Bio text={creator.bio} />}
    </article>
  )
}

function PlanLine({ plan }: { plan: NonNullable<ActionTarget['plan']> }) {
  return (
    <div className={classes.line}>
      <p className={classes.item}>
        <bdi>{plan.name}</bdi>
        <PriceTag cents={plan.price_cents} interval={plan.interval} />
      </p>
      {plan.trial_days > 0 && (
        <Badge variant="light" tt="none">
          {profileTabsTexts.trial(plan.trial_days)}
        </Badge>
      )}
      {plan.description && <Bio text={plan.description} />}
      <PlanBenefits plan={{ benefits: plan.benefits, includes: null }} />
    </div>
  )
}

function PostLine({ post }: { post: NonNullable<ActionTarget['post']> }) {
  const [first] = post.media_previews
  const files = post.media_types.length > 0 && describeMedia(post.media_types, post.media_previews)
  return (
    <div className={classes.line}>
      {post.cover_path ? (
        <img className={classes.preview} src={postCover(post.cover_path)} alt="" />
      ) : (
        first?.preview && (
          <div className={classes.preview}>
            <BlurredPreview preview={first.preview} />
          </div>
        )
      )}
      <p className={classes.item}>
        {post.title && <bdi>{post.title}</bdi>}
        {post.is_locked && post.ppv_price !== null && <PriceTag cents={post.ppv_price} />}
      </p>
      {files && <p className={classes.text}>{files}</p>}
    </div>
  )
}

const Bio = ({ text }: { text: string }) => (
  <p className={classes.text} dir="auto">
    {text}
  </p>
)
