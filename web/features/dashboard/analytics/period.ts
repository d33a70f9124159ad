import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { addDays, dateIn } from '../../../lib/format/calendar-days.ts'
import { ownZone } from '../../../lib/format/local-time.ts'

export const ranges = ['7', '30', '90', '365', 'own'] as const
export type Range = (typeof ranges)[number]

/** Days that are shown, and the same number of days before them. */
export type Period = {
  range: Range
  /** The first and the last day, as `"2026-03-04"`. */
  from: string
  to: string
  days: number
  previousFrom: string
  previousTo: string
  /** The time zone of the days. */
  zone: string
}

/** Each tab gets these. */
export type ViewProps = { profileId: string; period: Period }

const texts = analyticsTexts.period.errors
const longest = 366
const dayMs = 86_400_000

export const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1

export function periodOf(from: string, to: string, zone: string, range: Range = 'own'): Period {
  const days = countDays(from, to)
  return { range, from, to, days, previousFrom: addDays(from, -days), previousTo: addDays(from, -1), zone }
}

/** Undefined if the days are a period that can be shown. */
export function whyNot(from: string, to: string, today: string): string | undefined {
  if (!isDay(from) || !isDay(to)) return texts.incomplete
  if (from < '2000-01-01') return texts.early
  if (to > today) return texts.future
  if (from > to) return texts.order
  if (countDays(from, to) > longest) return texts.long
  return undefined
}

const isDay = (day: string): boolean => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))

/** The period in an address; 30 days if it has none, or none that can be shown. */
export function readPeriod(parameters: URLSearchParams, zone = ownZone(), now = new Date()): Period {
  const today = dateIn(zone, now)
  const from = parameters.get('from') ?? ''
  const to = parameters.get('to') ?? ''
  if (whyNot(from, to, today) === undefined) return periodOf(from, to, zone)
  const range = ranges.find((one) => one !== 'own' && one === parameters.get('period')) ?? '30'
  return periodOf(addDays(today, 1 - Number(range)), today, zone, range)
}

/** The parameters of an address for a period. 30 days need none. */
export function periodParameters(period: Pick<Period, 'range' | 'from' | 'to'>): Record<string, string> {
  if (period.range === 'own') return { from: period.from, to: period.to }
  return period.range === '30' ? {} : { period: period.range }
}
