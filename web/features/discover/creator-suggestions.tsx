import { Anchor, Title } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconFeather } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CreatorCard } from './creator-card.tsx'
import { CreatorCardsSkeleton } from './creator-cards-skeleton.tsx'
import classes from './creator-grid.module.css'
import { suggestionsQuery } from './queries.ts'

/** What an empty feed shows: why it is empty, and whom one could follow (HOME-06, D37). A failure here only leaves the suggestions out. */
export default function CreatorSuggestions() {
  const suggestions = useQuery(suggestionsQuery())
  return (
    <>
      <EmptyState
        icon={<IconFeather size={26} stroke={1.5} />}
        {...postTexts.emptyFeed}
        action={
          <Anchor component={Link} to={paths.explore}>
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
              <CreatorCard key={creator.id} creator={creator} />
            ))}
          </div>
        </section>
      )}
    </>
  )
}
