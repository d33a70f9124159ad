import { TextInput } from '@mantine/core'
import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { useId, useState } from 'react'
import { dateIn } from '../../../lib/format/calendar-days.ts'
import { Segments } from '../../../ui/segments.tsx'
import { formatUtcDay } from '../utc-day.ts'
import classes from './analytics.module.css'
import { type Period, periodOf, type Range, ranges, readPeriod, whyNot } from './period.ts'

const texts = analyticsTexts.period

type Props = { period: Period; onChange: (period: Period) => void }

/** Which days are shown: the last ones, or the creator's own choice. */
export function PeriodBar({ period, onChange }: Props) {
  const hint = useId()
  const choose = (range: Range) =>
    onChange(range === 'own' ? { ...period, range } : readPeriod(new URLSearchParams({ period: range }), period.zone))
  return (
    <section className={classes.bar} aria-label={texts.label} aria-describedby={hint}>
      <Segments
        className={classes.ranges}
        aria-label={texts.label}
        value={period.range}
        onChange={choose}
        data={ranges.map((value) => ({ value, label: texts.ranges[value] }))}
      />
      {period.range === 'own' && <OwnDays period={period} onChange={onChange} />}
      <p id={hint} className={classes.hint}>
        {texts.shown(
          formatUtcDay(period.from),
          formatUtcDay(period.to),
          formatUtcDay(period.previousFrom),
          formatUtcDay(period.previousTo),
        )}{' '}
        {texts.zone(period.zone.replaceAll('_', ' '))}
      </p>
    </section>
  )
}

/** Shows the days as soon as both are right. */
function OwnDays({ period, onChange }: Props) {
  const [typed, setTyped] = useState({ from: period.from, to: period.to })
  const today = dateIn(period.zone)
  const error = whyNot(typed.from, typed.to, today)
  const change = (days: Partial<typeof typed>) => {
    const next = { ...typed, ...days }
    setTyped(next)
    if (whyNot(next.from, next.to, today) === undefined) onChange(periodOf(next.from, next.to, period.zone))
  }
  return (
    <div className={classes.own}>
      <TextInput
        type="date"
        label={texts.from}
        value={typed.from}
        max={today}
        error={error !== undefined}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={texts.to}
        value={typed.to}
        max={today}
        error={error !== undefined}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
      {error !== undefined && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
