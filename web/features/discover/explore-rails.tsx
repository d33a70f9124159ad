import { Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { exploreTexts } from '@ovation/contract/texts/discover'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { CreatorRail } from './creator-rail.tsx'
import { type CreatorRail as CreatorRailData, postsForSaleQuery, railsQuery } from './explore-queries.ts'
import classes from './explore-rails.module.css'
import { PostRail } from './post-rail.tsx'

/** Above the list: New, Popular this week, posts to buy, and each category (LOOP-09). */
export function ExploreRails() {
  const rails = useQuery(railsQuery())
  const forSale = useInfiniteQuery(postsForSaleQuery())
  // A creator may be in several rails.
  const paths = useMemo(
    () => [...new Set(rails.data?.flatMap(({ creators }) => creators.flatMap(({ pictures }) => pictures ?? [])))],
    [rails.data],
  )
  const media = useMediaLinks(paths)
  // Together, so that no rail moves another one. Posts that can't be read are left out.
  if (rails.isPending || forSale.isPending) return <RailsSkeleton />
  if (rails.isError) return <LoadFailed title={exploreTexts.rails.loadFailed} of={rails} />
  const posts = forSale.data?.pages.flat() ?? []
  const isFirst = ({ name }: CreatorRailData) => name === 'new' || name === 'week'
  const render = (rail: CreatorRailData) => <CreatorRail key={rail.name} rail={rail} media={media} />
  return (
    <>
      {rails.data.filter(isFirst).map(render)}
      {posts.length > 0 && <PostRail posts={posts} />}
      {rails.data.filter((rail) => !isFirst(rail)).map(render)}
    </>
  )
}

/** As many as a screen shows at first. */
function RailsSkeleton() {
  return (
    <div role="status" aria-label={commonTexts.loading} className={classes.waiting}>
      {[0, 1].map((rail) => (
        <div key={rail} className={classes.rail}>
          <div className={classes.head}>
            <Skeleton height={24} width="9rem" />
          </div>
          <div className={classes.list}>
            {[0, 1, 2, 3, 4].map((card) => (
              <div key={card} className={classes.item}>
                <div className={`surface ${classes.card}`}>
                  <Skeleton height="auto" radius={0} />
                  <div className={classes.body}>
                    <Skeleton height={22} width="60%" mt={34} />
                    <Skeleton height={20} width="85%" mt={6} />
                    <Skeleton height={22} width="50%" mt={8} />
                  </div>
                </div>
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
