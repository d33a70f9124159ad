import { Anchor, Text } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import classes from './panel.module.css'

type Props<Row> = {
  title: string
  query: Pick<UseQueryResult<Row[]>, 'data' | 'isError' | 'isFetching' | 'refetch'>
  empty: { title: string; message: string }
  failure: string
  /** The path of the full list. */
  all?: string
  children: (rows: Row[]) => ReactNode
}

/** A list of the dashboard, in one of its four states. If it fails, the rest of the dashboard still works (DASH-17). */
export function Panel<Row>({ title, query, empty, failure, all, children }: Props<Row>) {
  const id = useId()
  return (
    <section className={`surface ${classes.panel}`} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 id={id}>{title}</h2>
        {all && Boolean(query.data?.length) && (
          <Anchor component={Link} to={all} size="sm" aria-label={dashboardTexts.overview.allOf(title)}>
            {dashboardTexts.overview.all}
          </Anchor>
        )}
      </header>
      <Rows query={query} empty={empty} failure={failure}>
        {children}
      </Rows>
    </section>
  )
}

function Rows<Row>({ query, empty, failure, children }: Pick<Props<Row>, 'query' | 'empty' | 'failure' | 'children'>) {
  if (query.data) return query.data.length > 0 ? children(query.data) : <Nothing {...empty} />
  if (query.isError) return <LoadFailed order={3} title={failure} of={query} />
  return <ListSkeleton rows={2} />
}

/** Smaller than a full-screen empty state, because the rest of the dashboard is around it. */
function Nothing({ title, message }: { title: string; message: string }) {
  return (
    <div className={classes.nothing}>
      <Text fw={550}>{title}</Text>
      <Text size="sm" c="dimmed">
        {message}
      </Text>
    </div>
  )
}
