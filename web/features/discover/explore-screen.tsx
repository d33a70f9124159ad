import { Button } from '@mantine/core'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { IconUserSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { formatCount } from '../../lib/format/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { CreatorCard } from './creator-card.tsx'
import { CreatorCardsSkeleton } from './creator-cards-skeleton.tsx'
import grid from './creator-grid.module.css'
import { CategoryFilter, ListOptions } from './explore-filters.tsx'
import classes from './explore-screen.module.css'
import { creatorCountQuery, creatorsQuery } from './queries.ts'
import { type ExploreState, useExploreState } from './use-explore-state.ts'

/** EXPL-01 */
export function ExploreScreen() {
  const state = useExploreState()
  const count = useQuery(creatorCountQuery(state.filter))
  return (
    <Page title={exploreTexts.title} width="wide">
      <CategoryFilter state={state} />
      <div className={classes.line}>
        <p role="status" className={classes.count}>
          {count.data !== undefined && exploreTexts.count(formatCount(count.data), count.data === 1)}
        </p>
        <ListOptions state={state} />
      </div>
      <Creators state={state} />
    </Page>
  )
}

function Creators({ state: { filter, view, clear } }: { state: ExploreState }) {
  const creators = useInfiniteQuery(creatorsQuery(filter))
  return (
    <PagedList
      query={creators}
      rows={creators.data?.pages.flat()}
      pending={<CreatorCardsSkeleton cards={6} layout={view} />}
      failed={{ title: exploreTexts.loadFailed }}
      empty={
        <EmptyState
          icon={<IconUserSearch size={26} stroke={1.5} />}
          {...exploreTexts.empty}
          action={
            (filter.search || filter.category) && (
              <Button variant="default" onClick={clear}>
                {exploreTexts.clear}
              </Button>
            )
          }
        />
      }
      moreFailed={exploreTexts.loadMoreFailed}
    >
      {(found, more) => (
        <>
          <div className={view === 'grid' ? grid.grid : grid.list}>
            {found.map((creator) => (
              <CreatorCard key={creator.id} creator={creator} layout={view} />
            ))}
          </div>
          {more}
        </>
      )}
    </PagedList>
  )
}
