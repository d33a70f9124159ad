import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { LoadFailed } from './load-failed.tsx'
import { LoadMore } from './load-more.tsx'

type Props<Row> = {
  query: UseInfiniteQueryResult<unknown>
  /** The rows of all pages; undefined until the first page has loaded. */
  rows: Row[] | undefined
  /** Shown until then. */
  pending: ReactNode
  /** Shown above Retry if the first page can't be loaded. */
  failed: Omit<ComponentProps<typeof LoadFailed>, 'of'>
  /** Shown if there are no rows. Without it, the children render the empty list. */
  empty?: ReactNode
  /** The error when the next page can't be loaded. */
  moreFailed: string
  /** @param more the end of the list, which loads the next page. */
  children: (rows: Row[], more: ReactNode) => ReactNode
}

/** A list that loads page by page, in one of its four states: loading, failed, empty, or with rows. */
export function PagedList<Row>({ query, rows, pending, failed, empty, moreFailed, children }: Props<Row>) {
  if (!rows) return query.isError ? <LoadFailed {...failed} of={query} /> : pending
  if (rows.length === 0 && !query.hasNextPage && empty !== undefined) return empty
  return children(rows, <LoadMore of={query} failure={moreFailed} />)
}
