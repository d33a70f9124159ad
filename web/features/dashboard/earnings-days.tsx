import { Group, ScrollArea, Skeleton, Table } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import { failedOf, LoadFailed } from '../../ui/load-failed.tsx'
import { Segments } from '../../ui/segments.tsx'
import { chartHeight } from './chart-height.ts'
import classes from './earnings.module.css'
import { type EarningsDay, earningsSeriesQuery, type RevenueShare, revenueSplitQuery } from './earnings-queries.ts'
import tableClasses from './tables.module.css'
import { formatUtcDay } from './utc-day.ts'

// Charts are heavy, and the table has the same data.
const EarningsChart = lazy(() => import('./earnings-chart.tsx'))

const texts = dashboardTexts.earnings
const ranges = ['30', '90', '365'] as const

/** Earnings by day, as a chart and as a table, and by source (DASH-12). */
export function EarningsDays({ profileId }: { profileId: string }) {
  const [range, setRange] = useState<(typeof ranges)[number]>('30')
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const series = useQuery(earningsSeriesQuery(profileId, Number(range)))
  const split = useQuery(revenueSplitQuery(profileId, Number(range)))
  const failed = failedOf(series, split)
  return (
    <section className={`surface ${classes.panel}`} aria-labelledby="days">
      <header className={classes.head}>
        <h2 id="days" className={classes.heading}>
          {texts.days.title}
        </h2>
        <Group gap="xs">
          <Segments
            aria-label={texts.days.range}
            value={range}
            onChange={setRange}
            data={ranges.map((value) => ({ value, label: texts.days.ranges[value] }))}
          />
          <Segments
            aria-label={texts.days.view}
            value={view}
            onChange={setView}
            data={(['chart', 'table'] as const).map((value) => ({ value, label: texts.days[value] }))}
          />
        </Group>
      </header>
      {failed.length > 0 ? (
        <LoadFailed order={3} title={texts.days.loadFailed} of={failed} />
      ) : (
        <>
          {!series.data ? (
            <Skeleton h={chartHeight} />
          ) : series.data.every(({ total }) => Number(total) === 0) ? (
            <p className={classes.none}>{texts.days.none}</p>
          ) : view === 'chart' ? (
            <Suspense fallback={<Skeleton h={chartHeight} />}>
              <EarningsChart days={series.data} />
            </Suspense>
          ) : (
            <DayTable days={series.data} />
          )}
          <h3 className={classes.subheading}>{texts.sources.title}</h3>
          {split.data ? <SourceTable shares={split.data} /> : <Skeleton height={180} />}
        </>
      )}
    </section>
  )
}

const columns = ['subscriptions', 'tips', 'paid_messages', 'ppv', 'private_sessions', 'products', 'referrals'] as const
const names = {
  subscriptions: texts.sources.names.subscription,
  tips: texts.sources.names.tip,
  paid_messages: texts.sources.names.paid_message,
  ppv: texts.sources.names.ppv,
  private_sessions: texts.sources.names.private_session,
  products: texts.sources.names.product,
  referrals: texts.sources.names.referral,
}

/** Days with earnings or refunds, latest first. */
function DayTable({ days }: { days: EarningsDay[] }) {
  const moved = days.filter((day) => columns.some((column) => Number(day[column]) !== 0)).reverse()
  const used = columns.filter((column) => moved.some((day) => Number(day[column]) !== 0))
  return (
    <ScrollArea.Autosize
      mah="22rem"
      offsetScrollbars
      viewportProps={{ tabIndex: 0 }}
      className={tableClasses.box ?? ''}
    >
      <Table className={tableClasses.table}>
        <caption className="visually-hidden">{texts.days.title}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{texts.days.day}</Table.Th>
            {used.map((column) => (
              <Table.Th key={column} scope="col" data-number>
                {names[column]}
              </Table.Th>
            ))}
            <Table.Th scope="col" data-number>
              {texts.days.total}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {moved.map((day) => (
            <Table.Tr key={day.day}>
              <Table.Th scope="row" data-date>
                {formatUtcDay(String(day.day))}
              </Table.Th>
              {used.map((column) => (
                <Table.Td key={column} data-number>
                  {formatCents(Number(day[column]))}
                </Table.Td>
              ))}
              <Table.Td data-number data-strong>
                {formatCents(Number(day.total))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}

function SourceTable({ shares }: { shares: RevenueShare[] }) {
  const { columns: heads, names: sources } = texts.sources
  return (
    <Table className={tableClasses.table}>
      <caption className="visually-hidden">{texts.sources.title}</caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{heads.source}</Table.Th>
          <Table.Th scope="col" data-number data-wide>
            {heads.payments}
          </Table.Th>
          <Table.Th scope="col" data-number data-wide>
            {heads.gross}
          </Table.Th>
          <Table.Th scope="col" data-number>
            {heads.net}
          </Table.Th>
          <Table.Th scope="col" data-number>
            {heads.share}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shares.map((row) => (
          <Table.Tr key={row.source}>
            <Table.Th scope="row">{sources[row.source as keyof typeof sources]}</Table.Th>
            <Table.Td data-number data-wide>
              {formatCount(Number(row.payments))}
            </Table.Td>
            <Table.Td data-number data-wide>
              {formatCents(Number(row.gross_amount))}
            </Table.Td>
            <Table.Td data-number data-strong>
              {formatCents(Number(row.net_amount))}
            </Table.Td>
            <Table.Td data-number>{row.share === null ? '–' : `${Number(row.share)}%`}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
