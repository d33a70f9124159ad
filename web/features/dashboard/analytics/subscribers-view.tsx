import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../../lib/format/format-number.ts'
import { Stat, StatList } from '../../../ui/stat.tsx'
import { describeChange } from './change.ts'
import type { Column } from './columns.ts'
import { Figure } from './figure.tsx'
import { GroupFigure } from './group-figure.tsx'
import type { ViewProps } from './period.ts'
import { marksQuery, type SubscriberDay, type SubscriberGroup, seriesQuery } from './queries.ts'
import { SubscriberFilter, useFilter } from './subscriber-filter.tsx'

const texts = analyticsTexts.subscribers
const moves = ['began', 'returned', 'lost'] as const
const colors = {
  began: 'var(--accent-text)',
  returned: 'var(--tone-blue)',
  lost: 'var(--tone-red)',
} as const

const moveColumns: readonly Column<SubscriberDay>[] = [
  ...moves.map((name) => ({
    name,
    label: texts[name],
    unit: 'count' as const,
    over: 'sum' as const,
    color: colors[name],
    isBelow: name === 'lost',
    of: (day: SubscriberDay) => Number(day[name]),
  })),
  ...moves.map((name) => ({
    name: `previous_${name}`,
    label: texts.previous(texts[name]),
    unit: 'count' as const,
    over: 'sum' as const,
    isDashed: true,
    of: (day: SubscriberDay) => Number(day[`previous_${name}`]),
  })),
]

const groupColumns: readonly Column<SubscriberGroup>[] = [
  {
    name: 'subscribers',
    label: texts.total,
    unit: 'count',
    color: 'var(--accent-text)',
    of: ({ subscribers }) => Number(subscribers),
  },
  {
    name: 'previous',
    label: texts.previousTotal,
    unit: 'count',
    of: ({ previous_subscribers }) => Number(previous_subscribers),
  },
  ...moves.map((name) => ({
    name,
    label: texts[name],
    unit: 'count' as const,
    of: (group: SubscriberGroup) => Number(group[name]),
  })),
]

/** Total, new, returning, and lost subscribers by day, and by plan, source, and link (STATX-01). */
export default function SubscribersView({ profileId, period }: ViewProps) {
  const filter = useFilter()
  const series = useQuery(seriesQuery(profileId, period, filter))
  const { data: marks } = useQuery(marksQuery(profileId, period))
  const dayProps = {
    query: series,
    failure: texts.loadFailed,
    head: analyticsTexts.figure.day,
    rowOf: ({ day }: SubscriberDay) => String(day),
    marks,
  }
  return (
    <>
      <SubscriberFilter profileId={profileId} period={period} />
      {!series.isError && <Numbers days={series.data} />}
      <Figure
        {...dayProps}
        title={texts.title}
        hint={texts.hint}
        empty={texts.none}
        isEmpty={(days) => days.every((day) => !day.subscribers && !day.previous_subscribers)}
        columns={[
          {
            name: 'subscribers',
            label: texts.total,
            unit: 'count',
            over: 'last',
            color: 'var(--accent-text)',
            of: ({ subscribers }) => Number(subscribers),
          },
          {
            name: 'previous',
            label: texts.previousTotal,
            unit: 'count',
            over: 'last',
            color: 'var(--mantine-color-dimmed)',
            isDashed: true,
            of: ({ previous_subscribers }) => Number(previous_subscribers),
          },
        ]}
        chart="lines"
        file="subscribers"
      />
      <Figure
        {...dayProps}
        title={texts.moves}
        hint={texts.movesHint}
        empty={texts.noMoves}
        isEmpty={(days) => days.every((day) => moveColumns.every(({ of }) => of(day) === 0))}
        columns={moveColumns}
        chart="stacked"
        file="subscribers-gained-and-lost"
      />
      <GroupFigure
        profileId={profileId}
        period={period}
        title={texts.groups}
        hint={texts.groupsHint}
        empty={texts.none}
        failure={texts.loadFailed}
        file="subscribers"
        columns={groupColumns}
      />
    </>
  )
}

/** Undefined while they load. */
function Numbers({ days }: { days: SubscriberDay[] | undefined }) {
  const last = days?.at(-1)
  const sum = (name: keyof SubscriberDay) => (days ?? []).reduce((total, day) => total + Number(day[name]), 0)
  return (
    <StatList aria-label={texts.stats} aria-busy={!days}>
      <Stat
        label={texts.total}
        value={last && formatCount(Number(last.subscribers))}
        hint={last && describeChange(Number(last.subscribers), Number(last.previous_subscribers), 'count')}
      />
      {moves.map((name) => (
        <Stat
          key={name}
          label={texts[name]}
          value={days && formatCount(sum(name))}
          hint={days && describeChange(sum(name), sum(`previous_${name}`), 'count')}
        />
      ))}
    </StatList>
  )
}
