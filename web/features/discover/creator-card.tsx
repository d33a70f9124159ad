import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { exploreTexts } from '@ovation/contract/texts/discover'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatCompact, formatCount } from '../../lib/format/format-number.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { Tag } from '../../ui/tag.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import classes from './creator-card.module.css'
import { CreatorPicture } from './creator-picture.tsx'
import { CreatorPrice } from './creator-price.tsx'
import type { ShownCreator } from './explore-queries.ts'

type Props = {
  creator: ShownCreator
  media: MediaLinksState
  layout?: 'grid' | 'list'
  /** Replaces "Subscribe". */
  action?: ReactNode
}

/** EXPL-09..EXPL-11, LOOP-09. "Subscribe" links to the plans, which have the prices. It is missing if there is no plan. */
export function CreatorCard({ creator, media, layout = 'grid', action }: Props) {
  const name = nameOf(creator)
  const address = creator.username ?? creator.id
  const free = creator.subscription_price === null
  return (
    <article className={`surface ${classes.card}`} data-layout={layout}>
      <CreatorPicture creator={creator} media={media} />
      <div className={classes.body}>
        <div className={classes.head}>
          <div className={classes.avatar}>
            <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={60} />
          </div>
          <div className={classes.names}>
            <h3 className={classes.nameLine}>
              {/* The link's area covers the whole card. */}
              <Link to={paths.profile(address)} className={classes.name} dir="auto">
                {name}
              </Link>
              {creator.is_verified && <VerifiedBadge />}
            </h3>
            {creator.username && <p className={classes.handle}>@{creator.username}</p>}
          </div>
        </div>
        <div className={classes.text}>
          {creator.bio && (
            <p className={classes.bio} dir="auto">
              {creator.bio}
            </p>
          )}
          {creator.categories.length > 0 && (
            <div className={classes.categories}>
              {creator.categories.map((category) => (
                <Tag key={category}>{category}</Tag>
              ))}
            </div>
          )}
          <dl className={classes.counts}>
            <Count label={exploreTexts.subscribers} value={creator.subscriber_count} />
            <Count label={exploreTexts.posts} value={creator.content_count} />
            <Count label={exploreTexts.likes} value={creator.likes_count} />
          </dl>
        </div>
        <div className={classes.foot}>
          <CreatorPrice creator={creator} />
          {action && <div className={classes.button}>{action}</div>}
          {!action && !free && (
            <Button
              component={Link}
              to={paths.plans(address)}
              variant="default"
              className={classes.button ?? ''}
              aria-label={exploreTexts.subscribeTo(name)}
            >
              {exploreTexts.subscribe}
            </Button>
          )}
        </div>
      </div>
    </article>
  )
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div title={`${formatCount(value)} ${label}`}>
      <dd>{formatCompact(value)}</dd>
      <dt>{label}</dt>
    </div>
  )
}
