import { funnelTexts as texts } from '@ovation/contract/texts/funnel'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../../lib/format/format-number.ts'
import { Segments } from '../../../ui/segments.tsx'
import { Stat, StatList } from '../../../ui/stat.tsx'
import { describeChange } from './change.ts'
import type { Column } from './columns.ts'
import classes from './content.module.css'
import { Figure } from './figure.tsx'
import { type FunnelDay, funnelQuery } from './funnel-queries.ts'
import type { ViewProps } from './period.ts'

type Kind = 'plans' | 'all'
type Name = keyof typeof texts.steps.names
type Step = { name: Name; count: number; previous: number; share: number | null }

const stepsOf = {
  plans: ['profile_views', 'plan_views', 'checkouts', 'payments'],
  all: ['profile_views', 'checkouts', 'payments'],
} as const
/** Where the numbers of a step are. Views are the same for both kinds. */
const ofPlans = {
  profile_views: 'profile_views',
  plan_views: 'plan_views',
  checkouts: 'plan_checkouts',
  payments: 'plan_payments',
} as const
const columnOf = (kind: Kind, name: Name) => (kind === 'plans' ? ofPlans[name] : name)
const colors = {
  profile_views: 'var(--mantine-color-dimmed)',
  plan_views: 'var(--mantine-color-yellow-6)',
  checkouts: 'var(--mantine-color-blue-6)',
  payments: 'var(--accent-text)',
} as const satisfies Record<Name, string>

/** Profile views, plan views, checkouts, and payments (STATX-02), compared with the previous period. */
export default function FunnelView({ profileId, period }: ViewProps) {
  const [kind, setKind] = useState<Kind>('plans')
  const days = useQuery(funnelQuery(profileId, period.from, period.to, period.zone))
  const before = useQuery(funnelQuery(profileId, period.previousFrom, period.previousTo, period.zone))
  const steps = days.data && before.data && countSteps(kind, days.data, before.data)
  const both = {
    data: steps,
    isError: days.isError || before.isError,
    isFetching: days.isFetching || before.isFetching,
    refetch: () => Promise.all([days.refetch(), before.refetch()]),
  }
  const isEmpty = (rows: readonly FunnelDay[]) => stepsOf[kind].every((name) => sum(rows, columnOf(kind, name)) === 0)
  return (
    <>
      <Segments
        className={classes.choice}
        aria-label={texts.of}
        value={kind}
        onChange={setKind}
        data={(['plans', 'all'] as const).map((value) => ({ value, label: texts.kinds[value] }))}
      />
      <StatList aria-label={texts.steps.title}>
        {stepsOf[kind].map((name) => {
          const step = steps?.find((one) => one.name === name)
          return (
            <Stat
              key={name}
              label={texts.steps.names[name]}
              value={step ? formatCount(step.count) : both.isError ? '–' : undefined}
              hint={step && describeChange(step.count, step.previous, 'count')}
            />
          )
        })}
      </StatList>
      <Figure
        title={texts.steps.title}
        hint={texts.steps.hint[kind]}
        query={both}
        isEmpty={(rows) => rows.every(({ count, previous }) => count === 0 && previous === 0)}
        empty={texts.steps.empty}
        failure={texts.steps.loadFailed}
        head={texts.steps.step}
        rowOf={({ name }) => texts.steps.names[name]}
        columns={stepColumns}
        chart="rows"
        file={`funnel-${period.from}-${period.to}`}
      />
      <Figure
        title={texts.days.title}
        hint={texts.days.hint}
        query={days}
        isEmpty={isEmpty}
        empty={texts.steps.empty}
        failure={texts.steps.loadFailed}
        head={texts.days.day}
        rowOf={({ day }) => day}
        columns={[
          ...stepsOf[kind].map(
            (name): Column<FunnelDay> => ({
              name,
              label: texts.steps.names[name],
              unit: 'count',
              over: 'sum',
              color: colors[name],
              of: (day) => day[columnOf(kind, name)],
            }),
          ),
          {
            name: 'net',
            label: texts.days.net,
            unit: 'cents',
            over: 'sum',
            of: (day) => (kind === 'plans' ? day.plan_net_cents : day.net_cents),
          },
        ]}
        chart="lines"
        file={`funnel-by-day-${period.from}-${period.to}`}
      />
    </>
  )
}

const stepColumns: readonly Column<Step>[] = [
  { name: 'count', label: texts.steps.count, unit: 'count', color: 'var(--accent-text)', of: ({ count }) => count },
  {
    name: 'previous',
    label: texts.steps.previous,
    unit: 'count',
    color: 'var(--mantine-color-dimmed)',
    of: ({ previous }) => previous,
  },
  { name: 'share', label: texts.steps.share, unit: 'percent', of: ({ share }) => share },
]

const sum = (days: readonly FunnelDay[], column: Exclude<keyof FunnelDay, 'day'>): number =>
  days.reduce((total, day) => total + day[column], 0)

function countSteps(kind: Kind, days: readonly FunnelDay[], before: readonly FunnelDay[]): Step[] {
  let last: number | undefined
  return stepsOf[kind].map((name) => {
    const count = sum(days, columnOf(kind, name))
    const share = last ? Math.round((count / last) * 1000) / 10 : null
    last = count
    return { name, count, previous: sum(before, columnOf(kind, name)), share }
  })
}
