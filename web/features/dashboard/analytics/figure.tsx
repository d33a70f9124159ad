import { Button, Skeleton } from '@mantine/core'
import { csvOf } from '@ovation/contract/csv'
import { analyticsTexts } from '@ovation/contract/texts/analytics'
import { IconDownload } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { download } from '../../../lib/browser/download.ts'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { chartHeight } from '../chart-height.ts'
import { formatUtcDay } from '../utc-day.ts'
import classes from './analytics.module.css'
import { type Column, csvLabel, csvUnit } from './columns.ts'
import { describeFigure } from './describe-figure.ts'
import { FigureTable } from './figure-table.tsx'
import { type Mark, mostRows, type Plot, plotDays, pointName, seriesOf } from './plot.ts'

// Charts are heavy, and the table has the same data.
const FigureChart = lazy(() => import('./figure-chart.tsx'))

const texts = analyticsTexts.figure

type Props<Row> = {
  title: string
  hint?: ReactNode
  query: {
    readonly data: readonly Row[] | undefined
    readonly isError: boolean
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  /** Instead of the chart if there is nothing to show. */
  empty: string
  isEmpty?: (rows: readonly Row[]) => boolean
  failure: string
  /** The head of the first column, which names the rows. */
  head: string
  /** A day as `"2026-03-04"` for `lines` and `stacked`, which makes the row's name; any text for `rows` and `none`. */
  rowOf: (row: Row) => string
  keyOf?: (row: Row) => string
  /** As people read it; otherwise it is `rowOf`. */
  nameOf?: (row: Row) => string
  columns: readonly Column<Row>[]
  /** `lines` and `stacked` are by day; `rows` are bars below each other; `none` leaves the table. With a function, the chart has points of its own. */
  chart: 'lines' | 'stacked' | 'rows' | 'none' | ((rows: readonly Row[]) => Plot)
  marks?: readonly Mark[] | undefined
  /** The name of the CSV file, without its ending. */
  file: string
  /** Between the head and the chart: filters, totals. */
  children?: ReactNode
}

/** A chart with its table, its CSV, and its words for screen readers (STATX-03). */
export function Figure<Row>(props: Props<Row>) {
  const { title, hint, query, empty, failure, head, columns, chart, file } = props
  const id = useId()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const rows = query.data
  const hasRows = rows !== undefined && rows.length > 0 && !props.isEmpty?.(rows)
  const isByDay = chart === 'lines' || chart === 'stacked'
  const nameOf = props.nameOf ?? (isByDay ? (row: Row) => formatUtcDay(props.rowOf(row)) : props.rowOf)
  const shown = columns.filter(({ isOnlyInCsv }) => !isOnlyInCsv)
  const save = (saved: readonly Row[]) =>
    download(
      `${file}.csv`,
      'text/csv;charset=utf-8',
      csvOf([
        [head, ...columns.map(({ label, unit }) => csvLabel(label, unit))],
        ...saved.map((row) => [props.rowOf(row), ...columns.map(({ of, unit }) => csvUnit(of(row), unit))]),
      ]),
    )
  return (
    <section className={`surface ${classes.panel}`} aria-labelledby={id}>
      <header className={classes.head}>
        <h3 id={id} className={classes.heading}>
          {title}
        </h3>
        {hasRows && (
          <div className={classes.tools}>
            {chart !== 'none' && (
              <Segments
                aria-label={texts.view(title)}
                value={view}
                onChange={setView}
                data={(['chart', 'table'] as const).map((value) => ({ value, label: texts[value] }))}
              />
            )}
            <Button
              variant="default"
              size="compact-md"
              fz="sm"
              leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
              aria-label={texts.csvOf(title)}
              onClick={() => save(rows)}
            >
              {texts.csv}
            </Button>
          </div>
        )}
      </header>
      {hint !== undefined && <p className={classes.hint}>{hint}</p>}
      {props.children}
      {rows === undefined ? (
        query.isError ? (
          <LoadFailed order={3} title={failure} of={query} />
        ) : (
          <Skeleton h={chartHeight} />
        )
      ) : !hasRows ? (
        <p className={classes.none}>{empty}</p>
      ) : view === 'table' || chart === 'none' ? (
        <FigureTable
          title={title}
          head={head}
          rows={isByDay ? rows.toReversed() : rows}
          columns={shown}
          keyOf={props.keyOf ?? props.rowOf}
          nameOf={nameOf}
          isByDay={isByDay}
        />
      ) : (
        <figure className={classes.figure}>
          <div aria-hidden="true">
            <Suspense fallback={<Skeleton h={chartHeight} />}>
              <FigureChart plot={plotOf(props, rows)} />
            </Suspense>
          </div>
          {chart === 'rows' && rows.length > mostRows && (
            <p className={classes.none}>{texts.first(mostRows, rows.length)}</p>
          )}
          <figcaption className="visually-hidden">
            {describeFigure({ rows, columns: shown, nameOf, marks: props.marks, formatDay: formatUtcDay })}
          </figcaption>
        </figure>
      )}
      {hasRows && props.marks !== undefined && props.marks.length > 0 && <Marks marks={props.marks} />}
    </section>
  )
}

function plotOf<Row>({ chart, columns, rowOf, marks }: Props<Row>, rows: readonly Row[]): Plot {
  if (typeof chart === 'function') return chart(rows)
  if (chart === 'lines' || chart === 'stacked') return plotDays({ kind: chart, rows, columns, dayOf: rowOf, marks })
  const drawn = columns.filter(({ color }) => color !== undefined)
  return {
    kind: 'rows',
    unit: drawn[0]?.unit ?? 'count',
    series: seriesOf(columns),
    points: rows.slice(0, mostRows).map((row) => ({
      label: pointName(rowOf(row)),
      ...Object.fromEntries(drawn.map(({ name, of }) => [name, of(row)])),
    })),
    marks: [],
  }
}

const mostMarks = 6

/** Below the chart, in words: a chart has no room for names. */
function Marks({ marks }: { marks: readonly Mark[] }) {
  return (
    <details className={classes.marks} open={marks.length <= mostMarks}>
      <summary>{`● ${texts.marks} (${marks.length})`}</summary>
      <ul>
        {marks.map(({ day, name }) => (
          <li key={`${day} ${name}`} dir="auto">
            {formatUtcDay(day)}: {name}
          </li>
        ))}
      </ul>
    </details>
  )
}
