import { commonTexts } from '@ovation/contract/texts/common'
import type { Icon } from '@tabler/icons-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import classes from './admin-screen.module.css'

type Props<Row> = {
  query: UseInfiniteQueryResult<unknown>
  /** Undefined until the first page is there. */
  rows: Row[] | undefined
  label: string
  empty: { title: string; message: string }
  /** What there is none of. */
  icon: Icon
  failure: { title: string; message?: ReactNode }
  children: (row: Row) => ReactNode
}

/** The four states of a tab that is a list, and its next pages. */
export function AdminList<Row>({ query, rows, label, empty, icon: EmptyIcon, failure, children }: Props<Row>) {
  const { fetchNextPage } = query
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const place = useKeptFocus()

  if (!rows) return query.isError ? <LoadFailed {...failure} of={query} /> : <ListSkeleton rows={4} />
  return (
    <div className={classes.place} {...place}>
      {rows.length === 0 ? (
        <EmptyState icon={<EmptyIcon size={26} stroke={1.5} />} {...empty} />
      ) : (
        <ul className={classes.list} aria-label={label}>
          {rows.map(children)}
        </ul>
      )}
      {query.hasNextPage && (
        <LoadMore
          onReach={more}
          pending={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          failure={commonTexts.offline}
        />
      )}
    </div>
  )
}
