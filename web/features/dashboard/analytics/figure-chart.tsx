import '@mantine/charts/styles.css'
// The legend's squares.
import '@mantine/core/styles/ColorSwatch.layer.css'
import { BarChart, LineChart } from '@mantine/charts'
import { formatCompact } from '../../../lib/format/format-number.ts'
import { axisDollars } from '../axis-dollars.ts'
import { chartHeight } from '../chart-height.ts'
import earnings from '../earnings.module.css'
import { formatUnit } from './columns.ts'
import type { Plot } from './plot.ts'

const rowHeight = 34
/** More dots would hide the lines. */
const mostDots = 12

/** The chart of a figure. Screen readers get the words and the table beside it. */
export default function FigureChart({ plot }: { plot: Plot }) {
  const { kind, unit, points, marks } = plot
  // Losses are below the line, but aren't negative.
  const shown = plot.series.some(({ isBelow }) => isBelow) ? Math.abs : (value: number) => value
  const tick = (height: number) => {
    const value = shown(height)
    if (unit === 'cents') return axisDollars(value)
    return unit === 'percent' ? `${value}%` : formatCompact(value)
  }
  const series = plot.series.map(({ name, label, color, isDashed }) => ({
    name,
    label,
    color,
    ...(isDashed && { strokeDasharray: '5 5' }),
  }))
  const days = [...new Set(marks.map(({ label }) => label))]
  const common = {
    data: points,
    dataKey: 'label',
    series,
    valueFormatter: (value: number) => formatUnit(shown(value), unit),
    withLegend: series.length > 1,
    // In the order of the series, from the bottom up.
    legendProps: { verticalAlign: 'bottom', itemSorter: null } as const,
    tickLine: 'none',
    classNames: { root: earnings.chart ?? '', tooltip: earnings.tip ?? '', tooltipItemBody: earnings.tipSource ?? '' },
    referenceLines: days.map((x) => ({
      x,
      color: 'var(--mantine-color-dimmed)',
      strokeDasharray: '2 3',
      strokeOpacity: days.length > mostDots ? 0.4 : 1,
      label: days.length > mostDots ? '' : '●',
      labelPosition: 'top' as const,
    })),
  } as const
  const axes = {
    xAxisProps: { interval: 'equidistantPreserveStart' },
    // `interval: 0` shows all amounts; `auto` is as wide as the longest.
    yAxisProps: { tickFormatter: tick, interval: 0, width: 'auto', allowDecimals: unit !== 'count' },
  } as const
  if (kind === 'lines')
    return (
      <LineChart
        {...common}
        {...axes}
        h={chartHeight}
        curveType="linear"
        withDots={points.length === 1}
        strokeWidth={2}
        lineProps={{ isAnimationActive: false }}
        // Not focusable: keyboards use the table.
        lineChartProps={{ accessibilityLayer: false, margin: { top: 20, left: 10, right: 8 } }}
      />
    )
  if (kind === 'stacked')
    return (
      <BarChart
        {...common}
        {...axes}
        h={chartHeight}
        type="stacked"
        barProps={{ isAnimationActive: false }}
        // Losses hang below the line.
        barChartProps={{ accessibilityLayer: false, stackOffset: 'sign', margin: { top: 20, left: 10 } }}
      />
    )
  return (
    <BarChart
      {...common}
      h={points.length * rowHeight + (series.length > 1 ? 128 : 56)}
      orientation="vertical"
      gridAxis="x"
      xAxisProps={{ tickFormatter: tick, allowDecimals: unit !== 'count' }}
      yAxisProps={{ width: 'auto', interval: 0 }}
      type="stacked"
      barProps={{ isAnimationActive: false }}
      maxBarWidth={18}
      barChartProps={{ accessibilityLayer: false, margin: { top: 8, left: 10, right: 16 } }}
    />
  )
}
