import '@mantine/charts/styles.css'
// The legend's squares.
import '@mantine/core/styles/ColorSwatch.layer.css'
import { BarChart } from '@mantine/charts'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { formatCents } from '../../lib/format/format-number.ts'
import { axisDollars } from './axis-dollars.ts'
import { chartHeight } from './chart-height.ts'
import classes from './earnings.module.css'
import type { EarningsDay } from './earnings-queries.ts'

const { names } = dashboardTexts.earnings.sources
const series = [
  { name: 'subscriptions', label: names.subscription, color: 'var(--accent-text)' },
  { name: 'tips', label: names.tip, color: 'var(--tone-yellow)' },
  { name: 'paid_messages', label: names.paid_message, color: 'var(--tone-blue)' },
  { name: 'ppv', label: names.ppv, color: 'var(--tone-purple)' },
  { name: 'private_sessions', label: names.private_session, color: 'var(--tone-green)' },
  { name: 'products', label: names.product, color: 'var(--tone-red)' },
  { name: 'referrals', label: names.referral, color: 'var(--mantine-color-dimmed)' },
] as const

const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const weekDays = 7

/** Stacked bars by source. Long periods are by week, because 365 bars are unreadable. The table beside it is the accessible version. */
export default function EarningsChart({ days }: { days: EarningsDay[] }) {
  const step = days.length > 90 ? weekDays : 1
  const bars = Array.from({ length: Math.ceil(days.length / step) }, (_bar, index) => {
    const together = days.slice(index * step, (index + 1) * step)
    const sums = series.map(({ name }) => [name, together.reduce((sum, day) => sum + Number(day[name]), 0)])
    return { day: short.format(new Date(`${together[0]?.day}T00:00:00Z`)), ...Object.fromEntries(sums) }
  })
  const used = series.filter(({ name }) => days.some((day) => Number(day[name]) !== 0))
  return (
    <div aria-hidden="true">
      <BarChart
        h={chartHeight}
        data={bars}
        dataKey="day"
        type="stacked"
        series={[...used]}
        valueFormatter={formatCents}
        xAxisProps={{ interval: 'equidistantPreserveStart' }}
        // `interval: 0` shows all five amounts; `auto` is as wide as the longest.
        yAxisProps={{ tickFormatter: axisDollars, interval: 0, width: 'auto' }}
        withLegend
        // In the order of the bars, from the bottom up.
        legendProps={{ verticalAlign: 'bottom', itemSorter: null }}
        tickLine="none"
        classNames={{ root: classes.chart, tooltip: classes.tip, tooltipItemBody: classes.tipSource }}
        barProps={{ isAnimationActive: false }}
        // Not focusable: keyboards use the table.
        barChartProps={{ accessibilityLayer: false, margin: { top: 8, left: 10 } }}
      />
    </div>
  )
}
