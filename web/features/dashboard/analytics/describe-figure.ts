import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { type Column, formatUnit } from './columns.ts'
import { together } from './plot.ts'

const texts = analyticsTexts.words
/** A longer text is worse to hear than the table. */
const mostRows = 12

type Figure<Row> = {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  marks?: readonly { day: string; name: string }[] | undefined
  formatDay: (day: string) => string
}

/** A chart in words, for screen readers (STATX-03): the course of each series, or each row. */
export function describeFigure<Row>({ rows, columns, nameOf, marks = [], formatDay }: Figure<Row>): string {
  const courses = columns.filter(({ over }) => over !== undefined)
  const words =
    courses.length > 0
      ? courses.flatMap((column) => describeCourse(rows, column, nameOf))
      : [
          ...rows.slice(0, mostRows).map((row) => texts.each(nameOf(row), listValues(row, columns))),
          ...(rows.length > mostRows ? [texts.more(rows.length - mostRows)] : []),
        ]
  return [...words, ...marks.slice(0, mostRows).map(({ day, name }) => texts.mark(formatDay(day), name))].join(' ')
}

const listValues = <Row>(row: Row, columns: readonly Column<Row>[]): string =>
  columns
    .filter(({ of }) => of(row) !== null)
    .map(({ label, of, unit }) => texts.value(label, formatUnit(of(row), unit)))
    .join(', ')

function describeCourse<Row>(rows: readonly Row[], column: Column<Row>, nameOf: (row: Row) => string): string[] {
  const known = rows.flatMap((row) => {
    const value = column.of(row)
    return value === null ? [] : [{ value, at: nameOf(row) }]
  })
  const [first] = known
  const last = known.at(-1)
  if (!first || !last) return []
  const { label, unit } = column
  const say = (value: number) => formatUnit(value, unit)
  const highest = known.reduce((most, one) => (one.value > most.value ? one : most))
  const lowest = known.reduce((least, one) => (one.value < least.value ? one : least))
  // The days of the previous period aren't those of the rows.
  if (column.isDashed)
    return [
      column.over === 'sum'
        ? texts.sum(label, say(together(rows, column) ?? 0))
        : texts.course(label, say(first.value), say(last.value)),
    ]
  if (column.over === 'sum') {
    const total = texts.sum(label, say(together(rows, column) ?? 0))
    return highest.value > 0 ? [total, texts.highest(say(highest.value), highest.at)] : [total]
  }
  if (highest.value === lowest.value) return [texts.still(label, say(first.value))]
  return [
    texts.course(label, say(first.value), say(last.value)),
    texts.highest(say(highest.value), highest.at),
    texts.lowest(say(lowest.value), lowest.at),
  ]
}
