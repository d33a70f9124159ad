import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Segments } from '../../../ui/segments.tsx'
import classes from './analytics.module.css'
import type { Column } from './columns.ts'
import { Figure } from './figure.tsx'
import type { ViewProps } from './period.ts'
import { groupsQuery, type SubscriberGroup } from './queries.ts'
import { groupName } from './subscriber-filter.tsx'

const texts = analyticsTexts.dimensions
const dimensions = ['plan', 'source', 'link'] as const

type Props = ViewProps & {
  title: string
  hint: string
  empty: string
  failure: string
  file: string
  columns: readonly Column<SubscriberGroup>[]
}

/** The subscribers of a period by plan, by how they began, or by link. */
export function GroupFigure({ profileId, period, columns, file, ...figure }: Props) {
  const [dimension, setDimension] = useState<(typeof dimensions)[number]>('plan')
  const groups = useQuery(groupsQuery(profileId, period))
  return (
    <Figure
      {...figure}
      query={{ ...groups, data: groups.data?.filter((group) => group.dimension === dimension) }}
      head={texts[dimension]}
      rowOf={groupName}
      keyOf={({ id, name }) => id ?? name ?? ''}
      columns={columns}
      chart="rows"
      file={`${file}-by-${dimension}`}
    >
      <DimensionChoice dimensions={dimensions} value={dimension} onChange={setDimension} />
    </Figure>
  )
}

type ChoiceProps<Name extends keyof typeof texts> = {
  dimensions: readonly Name[]
  value: Name
  onChange: (name: Name) => void
}

export function DimensionChoice<Name extends 'plan' | 'source' | 'link'>(props: ChoiceProps<Name>) {
  return (
    <Segments
      className={classes.choice}
      aria-label={texts.label}
      value={props.value}
      onChange={props.onChange}
      data={props.dimensions.map((value) => ({ value, label: texts[value] }))}
    />
  )
}
