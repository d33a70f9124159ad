import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { useQuery } from '@tanstack/react-query'
import { formatUtcMonth } from '../utc-day.ts'
import type { Column } from './columns.ts'
import { Figure } from './figure.tsx'
import type { ViewProps } from './period.ts'
import type { Plot } from './plot.ts'
import { retentionQuery, type SubscriberCohort } from './queries.ts'

const texts = analyticsTexts.retention

/** Who stays, by the month in which they began (STATX-01). */
export default function RetentionView({ profileId, period }: ViewProps) {
  const cohorts = useQuery(retentionQuery(profileId, period.zone))
  const most = Math.max(0, ...(cohorts.data ?? []).map(({ remaining }) => remaining?.length ?? 0))
  const months = Array.from({ length: most }, (_, index) => index + 1)
  const columns: Column<SubscriberCohort>[] = [
    { name: 'subscribers', label: texts.subscribers, unit: 'count', of: ({ subscribers }) => Number(subscribers) },
    ...months.map((month) => ({
      name: `share-${month}`,
      label: texts.after(month),
      unit: 'percent' as const,
      of: (cohort: SubscriberCohort) => shareAfter([cohort], month),
    })),
    ...months.map((month) => ({
      name: `count-${month}`,
      label: texts.remaining(month),
      unit: 'count' as const,
      isOnlyInCsv: true,
      of: ({ remaining }: SubscriberCohort) => remaining?.[month - 1] ?? null,
    })),
  ]
  return (
    <Figure
      title={texts.title}
      hint={texts.hint}
      query={cohorts}
      empty={texts.none}
      failure={texts.loadFailed}
      head={texts.month}
      rowOf={({ month }) => String(month).slice(0, 7)}
      nameOf={({ month }) => formatUtcMonth(String(month))}
      columns={columns}
      chart={most === 0 ? 'none' : (rows) => plotAll(rows, months)}
      file="retention"
    />
  )
}

/** The percentage that remains of all for whom so many months have passed; null if there are none. */
function shareAfter(cohorts: readonly SubscriberCohort[], month: number): number | null {
  const passed = cohorts.filter(({ remaining }) => remaining?.[month - 1] !== undefined)
  const began = passed.reduce((sum, { subscribers }) => sum + Number(subscribers), 0)
  const left = passed.reduce((sum, { remaining }) => sum + Number(remaining?.[month - 1]), 0)
  return began === 0 ? null : Math.round((left / began) * 1000) / 10
}

/** One line for all months together. The table has each. */
function plotAll(cohorts: readonly SubscriberCohort[], months: readonly number[]): Plot {
  return {
    kind: 'lines',
    unit: 'percent',
    series: [{ name: 'all', label: texts.all, color: 'var(--accent-text)', isDashed: false, isBelow: false }],
    points: [
      { label: texts.start, all: 100 },
      ...months.map((month) => ({ label: texts.after(month), all: shareAfter(cohorts, month) })),
    ],
    marks: [],
  }
}
