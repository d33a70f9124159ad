import { Button, Title } from '@mantine/core'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { IconArrowDown, IconUserSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { formatCount } from '../../lib/format/format-number.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { CreatorCard } from './creator-card.tsx'
import { CreatorCardsSkeleton } from './creator-cards-skeleton.tsx'
import grid from './creator-grid.module.css'
import { CategoryFilter, ListOptions } from './explore-filters.tsx'
import { creatorCountQuery, creatorsQuery, type ShownCreator } from './explore-queries.ts'
import { ExploreRails } from './explore-rails.tsx'
import classes from './explore-screen.module.css'
import { type ExploreState, type ExploreView, useExploreState } from './use-explore-state.ts'

/** EXPL-01, LOOP-09. The rails are for looking around: a search or a category shows its results at once. */
export function ExploreScreen() {
  const state = useExploreState()
  const { search, category } = state.filter
  const browsing = !search && !category
  const count = useQuery(creatorCountQuery(state.filter))
  const list = useRef<HTMLHeadingElement>(null)
  const showList = () => {
    list.current?.focus({ preventScroll: true })
    list.current?.scrollIntoView()
  }
  return (
    <Page
      title={exploreTexts.title}
      width="wide"
      actions={
        browsing && (
          <Button variant="default" leftSection={<IconArrowDown size={18} stroke={1.8} />} onClick={showList}>
            {exploreTexts.allCreators}
          </Button>
        )
      }
    >
      <CategoryFilter state={state} />
      {browsing && <ExploreRails />}
      <section aria-labelledby="creators" className={classes.all}>
        <Title order={2} id="creators" ref={list} tabIndex={-1} className={classes.heading}>
          {search ? exploreTexts.results : (category ?? exploreTexts.allCreators)}
        </Title>
        <div className={classes.line}>
          <p role="status" className={classes.count}>
            {count.data !== undefined && exploreTexts.count(formatCount(count.data), count.data === 1)}
          </p>
          <ListOptions state={state} />
        </div>
        <Creators state={state} />
      </section>
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
      {(_rows, more) => (
        <>
          <div className={grid[view]}>
            {creators.data?.pages.map((page) => (
              <CreatorPage key={page[0]?.id ?? ''} creators={page} view={view} />
            ))}
          </div>
          {more}
        </>
      )}
    </PagedList>
  )
}

/** A page of creators, with one request for the links of their pictures. */
function CreatorPage({ creators, view }: { creators: ShownCreator[]; view: ExploreView }) {
  const media = useMediaLinks(creators.flatMap(({ pictures }) => pictures ?? []))
  return creators.map((creator) => <CreatorCard key={creator.id} creator={creator} media={media} layout={view} />)
}
