import { commonTexts } from '@ovation/contract/texts/common'
import type { Icon } from '@tabler/icons-react'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { LoadMore } from '../../ui/load-more.tsx'

type Props<Row> = {
  query: UseInfiniteQueryResult<InfiniteData<Row[]>>
  empty: { title: string; message: string; action?: ReactNode }
  /** What there is none of. */
  icon: Icon
  failure: string
  children: (rows: Row[]) => ReactNode
}

/** A list that goes on for as long as there is more, with its four states. */
export function WholeList<Row>({ query, empty, icon: EmptyIcon, failure, children }: Props<Row>) {
  const { fetchNextPage } = query
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const rows = query.data?.pages.flat()
  if (!rows) return query.isError ? <LoadFailed title={failure} of={query} /> : <ListSkeleton rows={4} />
  if (rows.length === 0) return <EmptyState icon={<EmptyIcon size={26} stroke={1.5} />} {...empty} />
  return (
    <>
      {children(rows)}
      {query.hasNextPage && (
        <LoadMore
          onReach={more}
          pending={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          failure={commonTexts.offline}
        />
      )}
    </>
  )
}
