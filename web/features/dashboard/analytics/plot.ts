import type { Column, Unit } from './columns.ts'
import { monthDay } from './month-day.ts'

export type Series = { name: string; label: string; color: string; isDashed: boolean; isBelow: boolean }

/** A chart's data: one point per day, week, or row. */
export type Plot = {
  /** `rows` are bars that lie below each other, with their names beside them. */
  kind: 'lines' | 'stacked' | 'rows'
  unit: Unit
  series: Series[]
  points: ({ label: string } & Record<string, number | string | null>)[]
  /** What happened, by the label of a point. */
  marks: { label: string; name: string }[]
}

/** Something that the creator did on a day: a price change, a mass message. */
export type Mark = { day: string; name: string }

export const seriesOf = <Row>(columns: readonly Column<Row>[]): Series[] =>
  columns.flatMap(({ name, label, color, isDashed = false, isBelow = false }) =>
    color === undefined ? [] : [{ name, label, color, isDashed, isBelow }],
  )

/** More points would run into each other. */
const mostDays = 92
const week = 7

type DayPlot<Row> = {
  kind: 'lines' | 'stacked'
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  dayOf: (row: Row) => string
  marks?: readonly Mark[] | undefined
}

/** Points by day; by week if there are many days. */
export function plotDays<Row>({ kind, rows, columns, dayOf, marks = [] }: DayPlot<Row>): Plot {
  const step = rows.length > mostDays ? week : 1
  const drawn = columns.filter(({ color }) => color !== undefined)
  const groups = Array.from({ length: Math.ceil(rows.length / step) }, (_, n) => rows.slice(n * step, (n + 1) * step))
  const labelOf = (group: readonly Row[]) => (group[0] ? monthDay(dayOf(group[0])) : '')
  return {
    kind,
    unit: drawn[0]?.unit ?? 'count',
    series: seriesOf(columns),
    points: groups.map((group) => ({
      label: labelOf(group),
      ...Object.fromEntries(drawn.map((column) => [column.name, heightOf(together(group, column), column)])),
    })),
    marks: marks.flatMap(({ day, name }) => {
      const group = groups.findLast((one) => one[0] !== undefined && dayOf(one[0]) <= day)
      return group ? [{ label: labelOf(group), name: `${monthDay(day)}: ${name}` }] : []
    }),
  }
}

const heightOf = <Row>(value: number | null, { isBelow }: Column<Row>) =>
  value !== null && isBelow && value !== 0 ? -value : value

export function together<Row>(rows: readonly Row[], { of, over }: Column<Row>): number | null {
  const values = rows.map(of).filter((value) => value !== null)
  if (over === 'last') return values.at(-1) ?? null
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}

/** The rows of a chart of bars below each other: the first ones, and how they are named. */
export const mostRows = 10

export const pointName = (label: string): string => (label.length > 22 ? `${label.slice(0, 21).trimEnd()}…` : label)
