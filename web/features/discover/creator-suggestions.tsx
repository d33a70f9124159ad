import { Anchor, Button, Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconFeather } from '@tabler/icons-react'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { FollowOrUnblock } from '../../domain/follows/follow-or-unblock.tsx'
import { feedQuery } from '../../domain/posts/queries.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CreatorCard } from './creator-card.tsx'
import { CreatorCardsSkeleton } from './creator-cards-skeleton.tsx'
import classes from './creator-grid.module.css'
import { suggestionsQuery } from './explore-queries.ts'

/**
 * The empty feed: an explanation and suggested creators (HOME-06, D37). If the suggestions fail to load, they are left out. Stays after
 * the viewer follows someone, so that they can follow more.
 */
export default function CreatorSuggestions() {
  const suggestions = useQuery(suggestionsQuery())
  const [followed, setFollowed] = useState(0)
  const queryClient = useQueryClient()
  const feedLoads = useIsFetching(feedQuery()) > 0
  const listed = suggestions.data?.map(({ id }) => id) ?? []
  const media = useMediaLinks(suggestions.data?.flatMap(({ pictures }) => pictures ?? []) ?? [])
  return (
    <>
      {/* Always mounted, so that screen readers announce its content. */}
      <div role="status" className={classes.ready}>
        {followed > 0 && (
          <Button
            variant="default"
            radius="xl"
            size="sm"
            onClick={() => void queryClient.refetchQueries(feedQuery())}
            loading={feedLoads}
          >
            {postTexts.showFeed}
          </Button>
        )}
      </div>
      <EmptyState
        icon={<IconFeather size={26} stroke={1.5} />}
        {...postTexts.emptyFeed}
        action={
          <Anchor component={Link} to={paths.explore} className="reach">
            {postTexts.exploreAll}
          </Anchor>
        }
      />
      {suggestions.isPending && <CreatorCardsSkeleton cards={2} />}
      {suggestions.data && suggestions.data.length > 0 && (
        <section aria-labelledby="suggestions">
          <Title order={2} id="suggestions" className={classes.heading}>
            {postTexts.suggestions}
          </Title>
          <div className={classes.grid}>
            {suggestions.data.map((creator) => (
              <CreatorCard
                key={creator.id}
                creator={creator}
                media={media}
                action={
                  <FollowOrUnblock
                    secondary
                    profileId={creator.id}
                    name={nameOf(creator)}
                    listed={listed}
                    keepsFeed
                    onChange={(change) => setFollowed((count) => count + change)}
                  />
                }
              />
            ))}
          </div>
        </section>
      )}
    </>
  )
}
