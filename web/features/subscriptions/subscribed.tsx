import { Button, Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CreatorCover } from '../../domain/creators/creator-cover.tsx'
import { creatorIntroQuery } from '../../domain/creators/creator-intro-query.ts'
import { unlockedPostsQuery } from '../../domain/posts/open-posts.ts'
import { PostTiles } from '../../domain/posts/post-tile.tsx'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import joy from '../../ui/moments.module.css'
import classes from './subscribed.module.css'

const { success } = subscriptionTexts

type Props = {
  subscription: {
    tier?: { name: string } | null
    /** `null` if the account was deleted. */
    creator?: { id: string; username: string; display_name: string | null } | null
  }
}

/** The confirmation: the creator's face and cover, and the posts that the subscription has unlocked (SUB-09..SUB-11, LOOP-06). */
export function Subscribed({ subscription: { creator, tier } }: Props) {
  const viewer = useViewer()
  const { data: intro } = useQuery({ ...creatorIntroQuery(creator?.id ?? ''), enabled: creator?.id !== undefined })
  return (
    <>
      <article className={`surface ${classes.card} ${joy.rise}`}>
        {intro && <CreatorCover creator={intro} />}
        {/* The toast of SUB-12 stands above or below the words, not on them. */}
        <div className={classes.words} data-keep-clear>
          <Title order={1} className={classes.title}>
            {success.title}
          </Title>
          {tier?.name && (
            <p className={classes.plan} dir="auto">
              {tier.name}
            </p>
          )}
          {creator && (
            <p className={classes.creator} dir="auto">
              {success.subscribedTo(nameOf(creator))}
            </p>
          )}
          <div className={classes.actions}>
            <Button component={Link} to={creator ? paths.profile(creator.username) : paths.home}>
              {success.viewProfile}
            </Button>
            {/* Fans never get sent to the creators' dashboard. */}
            <Button component={Link} to={viewer?.isCreator ? paths.dashboard : paths.home} variant="default">
              {viewer?.isCreator ? success.dashboard : success.feed}
            </Button>
          </div>
        </div>
      </article>
      {creator?.id && <UnlockedPosts creatorId={creator.id} />}
    </>
  )
}

/** Renders nothing until they have loaded, and if there are none: the profile shows the rest. */
function UnlockedPosts({ creatorId }: { creatorId: string }) {
  const { data: posts = [] } = useQuery(unlockedPostsQuery(creatorId))
  if (posts.length === 0) return null
  return (
    <section aria-labelledby="unlocked" className={classes.unlocked}>
      <Title order={2} id="unlocked" className={classes.heading} data-keep-clear>
        {success.unlocked}
      </Title>
      <PostTiles posts={posts} />
    </section>
  )
}
