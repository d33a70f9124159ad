import { commonTexts } from '@ovation/contract/texts/common'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type FocusEvent, type ReactNode, useCallback, useEffect, useRef } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import classes from './admin-screen.module.css'

type Props<Row> = {
  query: UseInfiniteQueryResult<unknown>
  /** Undefined until the first page is there. */
  rows: Row[] | undefined
  label: string
  empty: { title: string; message: string }
  failure: { title: string; message?: ReactNode }
  children: (row: Row) => ReactNode
}

/** The four states of a tab that is a list, and its next pages. */
export function AdminList<Row>({ query, rows, label, empty, failure, children }: Props<Row>) {
  const { fetchNextPage } = query
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const place = useKeptFocus()

  if (!rows)
    return query.isError ? (
      <ErrorState {...failure} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <ListSkeleton rows={4} />
    )
  return (
    <div className={classes.place} {...place}>
      {rows.length === 0 ? (
        <EmptyState {...empty} />
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

/** A row that has been dealt with goes, and with it the button that had the focus: the list takes it, or it would be at the page's top. */
function useKeptFocus() {
  const ref = useRef<HTMLDivElement>(null)
  const focused = useRef<Element | null>(null)
  useEffect(() => {
    const isLost = focused.current?.isConnected === false && document.activeElement === document.body
    if (isLost) ref.current?.focus({ preventScroll: true })
  })
  const noteFocus = ({ target }: FocusEvent) => {
    // A menu of a row is elsewhere on the page, and returns the focus itself.
    focused.current = ref.current?.contains(target) ? target : null
  }
  const forget = () => {
    focused.current = null
  }
  return { ref, tabIndex: -1, onFocus: noteFocus, onBlur: forget }
}
