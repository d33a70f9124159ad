import { formatCents, formatCount } from '../../../lib/format/format-number.ts'

export type Unit = 'cents' | 'count' | 'percent'

/** A column of a figure's table and CSV, and a series of its chart. */
export type Column<Row> = {
  name: string
  label: string
  unit: Unit
  /** Null where there is no value. */
  of: (row: Row) => number | null
  /** How several days become one: amounts add up, of a level the last one counts. Without it, the words list the rows. */
  over?: 'sum' | 'last'
  /** In the chart; without it, the column is in the table only. */
  color?: string
  /** Of the previous period: a dashed line in the chart, and without dates in words. */
  isDashed?: boolean
  /** Losses hang below the line of a stacked chart. */
  isBelow?: boolean
  isOnlyInCsv?: boolean
}

/** As people read it. */
export const formatUnit = (value: number | null, unit: Unit): string => {
  if (value === null) return '–'
  if (unit === 'cents') return formatCents(value)
  return unit === 'percent' ? `${formatCount(value)}%` : formatCount(value)
}

/** As spreadsheets read it: dollars without a sign, and shares as numbers. */
export const csvUnit = (value: number | null, unit: Unit): string => {
  if (value === null) return ''
  return unit === 'cents' ? (value / 100).toFixed(2) : `${value}`
}

export const csvLabel = (label: string, unit: Unit): string => {
  if (unit === 'cents') return `${label} (USD)`
  return unit === 'percent' ? `${label} (%)` : label
}
