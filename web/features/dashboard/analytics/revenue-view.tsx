import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { useQuery } from '@tanstack/react-query'
import { formatCents, formatCount } from '../../../lib/format/format-number.ts'
import { Stat, StatList } from '../../../ui/stat.tsx'
import { describeChange } from './change.ts'
import { Figure } from './figure.tsx'
import { GroupFigure } from './group-figure.tsx'
import type { ViewProps } from './period.ts'
import { marksQuery, type SubscriberDay, seriesQuery } from './queries.ts'
import { SubscriberFilter, useFilter } from './subscriber-filter.tsx'

const texts = analyticsTexts.revenue

/** Recurring revenue by day, and by plan, source, and link (STATX-01). */
export default function RevenueView({ profileId, period }: ViewProps) {
  const filter = useFilter()
  const series = useQuery(seriesQuery(profileId, period, filter))
  const { data: marks } = useQuery(marksQuery(profileId, period))
  return (
    <>
      <SubscriberFilter profileId={profileId} period={period} />
      {!series.isError && <Numbers last={series.data?.at(-1)} />}
      <Figure
        title={texts.title}
        hint={texts.hint}
        query={series}
        empty={texts.none}
        isEmpty={(days) => days.every((day) => !day.monthly_cents && !day.previous_monthly_cents)}
        failure={texts.loadFailed}
        head={analyticsTexts.figure.day}
        rowOf={({ day }) => String(day)}
        columns={[
          {
            name: 'monthly',
            label: texts.monthly,
            unit: 'cents',
            over: 'last',
            color: 'var(--accent-text)',
            of: ({ monthly_cents }) => Number(monthly_cents),
          },
          {
            name: 'previous',
            label: texts.previous,
            unit: 'cents',
            over: 'last',
            color: 'var(--mantine-color-dimmed)',
            isDashed: true,
            of: ({ previous_monthly_cents }) => Number(previous_monthly_cents),
          },
        ]}
        chart="lines"
        marks={marks}
        file="recurring-revenue"
      />
      <GroupFigure
        profileId={profileId}
        period={period}
        title={texts.groups}
        hint={texts.groupsHint}
        empty={texts.none}
        failure={texts.loadFailed}
        file="recurring-revenue"
        columns={[
          {
            name: 'monthly',
            label: texts.monthly,
            unit: 'cents',
            color: 'var(--accent-text)',
            of: ({ monthly_cents }) => Number(monthly_cents),
          },
          {
            name: 'previous',
            label: texts.previous,
            unit: 'cents',
            of: ({ previous_monthly_cents }) => Number(previous_monthly_cents),
          },
          {
            name: 'subscribers',
            label: texts.subscribers,
            unit: 'count',
            of: ({ subscribers }) => Number(subscribers),
          },
        ]}
      />
    </>
  )
}

/** At the end of the period. Undefined while it loads. */
function Numbers({ last }: { last: SubscriberDay | undefined }) {
  const now = Number(last?.monthly_cents)
  const each = (cents: number, people: number) => (people === 0 ? 0 : Math.round(cents / people))
  const people = Number(last?.subscribers)
  return (
    <StatList aria-label={texts.stats} aria-busy={!last}>
      <Stat
        label={texts.monthly}
        value={last && formatCents(now)}
        hint={last && describeChange(now, Number(last.previous_monthly_cents), 'cents')}
      />
      <Stat label={texts.year} value={last && formatCents(now * 12)} hint={texts.yearHint} />
      <Stat label={texts.each} value={last && formatCents(each(now, people))} hint={texts.eachHint} />
      <Stat
        label={texts.subscribers}
        value={last && formatCount(people)}
        hint={last && describeChange(people, Number(last.previous_subscribers), 'count')}
      />
    </StatList>
  )
}
