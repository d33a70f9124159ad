import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { formatCount } from '../../../lib/format/format-number.ts'
import { formatUnit, type Unit } from './columns.ts'

const texts = analyticsTexts.change

/** How a value compares with the previous period's. A percentage says nothing if that was zero or below. */
export function describeChange(value: number, previous: number, unit: Unit): string {
  if (value === previous) return texts.same
  if (previous <= 0 || unit === 'percent') return texts.from(formatUnit(previous, unit))
  const percent = Math.round(((value - previous) / previous) * 1000) / 10
  return texts.percent(`${percent < 0 ? '−' : '+'}${formatCount(Math.abs(percent))}%`)
}
