import { Skeleton } from '@mantine/core'
import { vaultTexts } from '@ovation/contract/texts/vault'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadMore } from '../../ui/load-more.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import classes from './file-sheet.module.css'

type Props<Row> = {
  title: string
  query: UseInfiniteQueryResult<unknown>
  rows: Row[] | undefined
  none: string
  failed: string
  children: (row: Row) => ReactNode
}

/** A list in the sheet of a file. Its next page comes on a click, because the sheet has more than one list. */
export function FileList<Row>({ title, query, rows, none, failed, children }: Props<Row>) {
  const { moreFailed } = vaultTexts.file
  return (
    <section className={classes.section} aria-label={title}>
      <h3 className={classes.title}>{title}</h3>
      <PagedList
        query={query}
        rows={rows}
        pending={<Skeleton height={44} mt="xs" />}
        failed={{ title: failed }}
        empty={<p className={classes.hint}>{none}</p>}
        moreFailed={moreFailed}
      >
        {(all) => (
          <>
            <ul className={classes.list}>{all.map(children)}</ul>
            <LoadMore of={query} failure={moreFailed} onClickOnly />
          </>
        )}
      </PagedList>
    </section>
  )
}
