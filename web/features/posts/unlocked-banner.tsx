import { Button, Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { payingTexts } from '@ovation/contract/texts/paying'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CreatorCover } from '../../domain/creators/creator-cover.tsx'
import { creatorIntroQuery } from '../../domain/creators/creator-intro-query.ts'
import type { Post } from '../../domain/posts/queries.ts'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import joy from '../../ui/moments.module.css'
import classes from './unlocked-banner.module.css'

/** Above a post that the viewer has just bought: the creator's face and cover, and a word of thanks (LOOP-06). */
export function UnlockedBanner({ post: { creator } }: { post: Post }) {
  const intro = useQuery(creatorIntroQuery(creator.id)).data
  return (
    <section className={`surface ${classes.banner} ${joy.rise}`} role="status">
      <CreatorCover creator={intro ?? { ...creator, cover_url: null }} />
      <div className={classes.words}>
        <Title order={2} className={classes.title}>
          {payingTexts.opened}
        </Title>
        <p className={classes.by}>
          {payingTexts.openedBy} <bdi>{nameOf(creator)}</bdi>
        </p>
        <Button component={Link} to={paths.profile(addressOf(creator))} variant="default" mt="md">
          {payingTexts.openProfile}
        </Button>
      </div>
    </section>
  )
}
