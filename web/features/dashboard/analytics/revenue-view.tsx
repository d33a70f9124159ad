import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useQuery } from '@tanstack/react-query'
import { earningsSeriesQuery } from '../earnings-queries.ts'
import { Figure } from './figure.tsx'
import type { ViewProps } from './period.ts'

const texts = dashboardTexts.earnings.days

export default function RevenueView({ profileId, period }: ViewProps) {
  const days = useQuery(earningsSeriesQuery(profileId, period.days))
  return (
    <Figure
      title={texts.total}
      query={days}
      empty={texts.none}
      failure={texts.loadFailed}
      head={texts.day}
      rowOf={({ day }) => String(day)}
      columns={[
        {
          name: 'total',
          label: texts.total,
          unit: 'cents',
          over: 'sum',
          color: 'var(--accent-text)',
          of: ({ total }) => Number(total),
        },
      ]}
      chart="stacked"
      file="earnings"
    />
  )
}
