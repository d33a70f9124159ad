import { Button, Skeleton, Title } from '@mantine/core'
import { categories } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { commonTexts } from '@ovation/contract/texts/common'
import { exploreTexts, frontTexts } from '@ovation/contract/texts/discover'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { accentRules } from '../../domain/front-page/accent.ts'
import { FrontPicture, frontPicture } from '../../domain/front-page/front-picture.tsx'
import { frontPageQuery } from '../../domain/front-page/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { croppedImage, publicImage } from '../../lib/media/public-image.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { ProfileAvatar, toneOf } from '../../ui/profile-avatar.tsx'
import tones from '../../ui/tone.module.css'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import classes from './front-creators.module.css'
import { type FrontCreator, frontCreatorsQuery, frontSize } from './front-creators-query.ts'

/**
 * On the front page: six creators by their covers and faces, the categories, and the way to all of them (LOOP-03); before them the operator's
 * picture (FIND-06).
 */
export default function FrontCreators() {
  const page = useQuery(frontPageQuery()).data
  const isFeatured = useQuery(frontCreatorsQuery()).data?.some(({ is_featured }) => is_featured)
  return (
    <>
      {page?.accent && <style>{accentRules(page.accent)}</style>}
      {page?.picture_path && (
        <div className={classes.picture}>
          <FrontPicture src={frontPicture(page.picture_path)} alt={page.picture_alt} />
        </div>
      )}
      <section aria-labelledby="front-creators" className={classes.front}>
        <Title order={2} id="front-creators" className={classes.title}>
          {isFeatured ? frontTexts.featured : frontTexts.title}
        </Title>
        <Wall />
        <nav className={classes.categories} aria-label={frontTexts.categories}>
          {categories.map((category) => (
            <Link key={category} to={paths.exploreCategory(category)} className={classes.category}>
              {category}
            </Link>
          ))}
        </nav>
        <Button component={Link} to={paths.explore} variant="default" className={classes.all ?? ''}>
          {frontTexts.explore}
        </Button>
      </section>
    </>
  )
}

function Wall() {
  const creators = useQuery(frontCreatorsQuery())
  if (creators.isPending)
    return (
      <div className={classes.wall} role="status" aria-label={commonTexts.loading}>
        {Array.from({ length: frontSize }, (_, tile) => (
          <div className={`surface ${classes.tile}`} key={`tile-${String(tile)}`}>
            <Skeleton className={classes.cover} height="auto" radius={0} />
            <div className={classes.words}>
              <Skeleton height={20} width="60%" mt={26} />
              <Skeleton height={14} width="75%" mt={6} />
            </div>
          </div>
        ))}
      </div>
    )
  if (creators.isError) return <LoadFailed order={3} title={exploreTexts.loadFailed} of={creators} />
  if (creators.data.length === 0) return <p className={classes.none}>{frontTexts.none}</p>
  return (
    <div className={classes.wall}>
      {creators.data.map((creator) => (
        <Tile key={creator.id} creator={creator} />
      ))}
    </div>
  )
}

function Tile({ creator }: { creator: FrontCreator }) {
  const name = nameOf(creator)
  const cover = publicImage(creator.cover_url, creator.updated_at)
  const price = creator.subscription_price
  return (
    <article className={`surface ${classes.tile}`}>
      <div className={`${classes.cover} ${tones.tone}`} data-tone={toneOf(name)}>
        {/* Twice the tile's size, for sharp screens. */}
        {cover && <img src={croppedImage(cover, 640, 400)} alt="" />}
      </div>
      <div className={classes.words}>
        <div className={classes.avatar}>
          <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={48} />
        </div>
        <h3 className={classes.nameLine}>
          {/* The link's area covers the whole tile. */}
          <Link to={paths.profile(creator.username ?? creator.id)} className={classes.name} dir="auto">
            {name}
          </Link>
          {creator.is_verified && <VerifiedBadge size={16} />}
        </h3>
        <p className={`facts ${classes.facts}`}>
          {creator.categories[0] && <span>{creator.categories[0]}</span>}
          <span>
            {price === null ? exploreTexts.free : `${formatCents(Math.round(price * 100))} ${exploreTexts.perMonth}`}
          </span>
        </p>
      </div>
    </article>
  )
}
