import { commonTexts } from '@ovation/contract/texts/common'
import type { Icon } from '@tabler/icons-react'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'

type Props<Row> = {
  query: UseInfiniteQueryResult<InfiniteData<Row[]>>
  empty: { title: string; message: string; action?: ReactNode }
  /** The empty state's icon. */
  icon: Icon
  failure: string
  children: (rows: Row[]) => ReactNode
}

/** A paged list, in one of its four states. */
export function WholeList<Row>({ query, empty, icon: EmptyIcon, failure, children }: Props<Row>) {
  return (
    <PagedList
      query={query}
      rows={query.data?.pages.flat()}
      pending={<ListSkeleton rows={4} />}
      failed={{ title: failure }}
      empty={<EmptyState icon={<EmptyIcon size={26} stroke={1.5} />} {...empty} />}
      moreFailed={commonTexts.offline}
    >
      {(rows, more) => (
        <>
          {children(rows)}
          {more}
        </>
      )}
    </PagedList>
  )
}
