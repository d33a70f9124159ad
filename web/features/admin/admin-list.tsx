import { commonTexts } from '@ovation/contract/texts/common'
import type { Icon } from '@tabler/icons-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import classes from './admin-screen.module.css'

type Props<Row> = {
  query: UseInfiniteQueryResult<unknown>
  /** Undefined until the first page has loaded. */
  rows: Row[] | undefined
  label: string
  empty: { title: string; message: string }
  /** The empty state's icon. */
  icon: Icon
  failure: { title: string; message?: ReactNode }
  children: (row: Row) => ReactNode
}

/** The list of a tab, in one of its four states, with paging. */
export function AdminList<Row>({ query, rows, label, empty, icon: EmptyIcon, failure, children }: Props<Row>) {
  const keptFocus = useKeptFocus()
  return (
    <PagedList
      query={query}
      rows={rows}
      pending={<ListSkeleton rows={4} />}
      failed={failure}
      moreFailed={commonTexts.offline}
    >
      {(shown, more) => (
        // Always mounted: takes the focus when a focused row is removed.
        <div className={classes.region} {...keptFocus}>
          {shown.length === 0 ? (
            <EmptyState icon={<EmptyIcon size={26} stroke={1.5} />} {...empty} />
          ) : (
            <ul className={classes.list} aria-label={label}>
              {shown.map(children)}
            </ul>
          )}
          {more}
        </div>
      )}
    </PagedList>
  )
}
