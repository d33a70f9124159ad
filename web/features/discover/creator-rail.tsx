import { paths } from '@ovation/contract/paths'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { Link } from 'react-router'
import { nameOf } from '../../lib/auth/viewer.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { CreatorPicture } from './creator-picture.tsx'
import { CreatorPrice } from './creator-price.tsx'
import type { CreatorRail as Creators, ShownCreator } from './explore-queries.ts'
import classes from './explore-rails.module.css'
import { Rail } from './rail.tsx'

const texts = exploreTexts.rails

type Props = { rail: Creators; media: MediaLinksState }

/** New creators, popular ones, or those of a category, which has a list of all. */
export function CreatorRail({ rail: { name, creators }, media }: Props) {
  const isCategory = name !== 'new' && name !== 'week'
  return (
    <Rail
      title={isCategory ? name : texts[name]}
      beside={
        isCategory && (
          <Link to={paths.exploreCategory(name)} className={`reach ${classes.all}`} aria-label={texts.seeAllOf(name)}>
            {texts.seeAll}
          </Link>
        )
      }
    >
      {creators.map((creator) => (
        <li key={creator.id} className={classes.item}>
          <RailCard creator={creator} media={media} />
        </li>
      ))}
    </Rail>
  )
}

/** The picture first, then the face, the name, one line of text, and the price or the trial. */
function RailCard({ creator, media }: { creator: ShownCreator; media: MediaLinksState }) {
  const name = nameOf(creator)
  const line = creator.bio || creator.categories.join(', ')
  return (
    <article className={`surface ${classes.card}`}>
      <CreatorPicture creator={creator} media={media} />
      <div className={classes.body}>
        <div className={classes.avatar}>
          <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={52} />
        </div>
        <h3 className={classes.nameLine}>
          {/* The link's area covers the whole card. */}
          <Link to={paths.profile(creator.username ?? creator.id)} className={classes.name} dir="auto">
            {name}
          </Link>
          {creator.is_verified && <VerifiedBadge size={16} />}
        </h3>
        <p className={classes.line} dir="auto">
          {line}
        </p>
        <p className={classes.price}>
          <CreatorPrice creator={creator} />
        </p>
      </div>
    </article>
  )
}
