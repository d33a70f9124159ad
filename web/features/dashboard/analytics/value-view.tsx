import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from './columns.ts'
import { Figure } from './figure.tsx'
import { DimensionChoice } from './group-figure.tsx'
import type { ViewProps } from './period.ts'
import { type SubscriberWorth, valuesQuery } from './queries.ts'
import { groupName } from './subscriber-filter.tsx'

const texts = analyticsTexts.value
const dimensions = ['plan', 'link'] as const

const subscriptions = ({ subscription_cents }: SubscriberWorth) => Number(subscription_cents)
const other = ({ other_cents }: SubscriberWorth) => Number(other_cents)
const total = (row: SubscriberWorth) => subscriptions(row) + other(row)
const each = (cents: (row: SubscriberWorth) => number) => (row: SubscriberWorth) =>
  row.subscribers ? Math.round(cents(row) / row.subscribers) : null

const columns: readonly Column<SubscriberWorth>[] = [
  { name: 'each', label: texts.each, unit: 'cents', of: each(total) },
  {
    name: 'eachSubscriptions',
    label: texts.eachSubscriptions,
    unit: 'cents',
    color: 'var(--accent-text)',
    of: each(subscriptions),
  },
  { name: 'eachOther', label: texts.eachOther, unit: 'cents', color: 'var(--tone-yellow)', of: each(other) },
  { name: 'subscribers', label: texts.subscribers, unit: 'count', of: ({ subscribers }) => Number(subscribers) },
  { name: 'subscriptions', label: texts.subscriptions, unit: 'cents', of: subscriptions },
  { name: 'other', label: texts.other, unit: 'cents', of: other },
  { name: 'total', label: texts.total, unit: 'cents', of: total },
]

/** What a subscriber is worth, by plan and by link (STATX-01). */
export default function ValueView({ profileId }: ViewProps) {
  const [dimension, setDimension] = useState<(typeof dimensions)[number]>('plan')
  const values = useQuery(valuesQuery(profileId))
  return (
    <Figure
      title={texts.title}
      hint={texts.hint}
      query={{ ...values, data: values.data?.filter((row) => row.dimension === dimension) }}
      empty={texts.none}
      failure={texts.loadFailed}
      head={analyticsTexts.dimensions[dimension]}
      rowOf={groupName}
      keyOf={({ id }) => id ?? ''}
      columns={columns}
      chart="rows"
      file={`subscriber-value-by-${dimension}`}
    >
      <DimensionChoice dimensions={dimensions} value={dimension} onChange={setDimension} />
    </Figure>
  )
}
