import { Button, Table } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { csvOf } from '@ovation/contract/csv'
import { paths } from '@ovation/contract/paths'
import { funnelTexts } from '@ovation/contract/texts/funnel'
import { IconChartBar, IconChartLine, IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { isId } from '../../../lib/api/is-id.ts'
import { download } from '../../../lib/browser/download.ts'
import { formatDate } from '../../../lib/format/format-date.ts'
import { formatCents, formatCount, pluralize } from '../../../lib/format/format-number.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Stat, StatList } from '../../../ui/stat.tsx'
import { TableFrame } from '../../../ui/table-frame.tsx'
import { toast } from '../../../ui/toast.ts'
import tableClasses from '../tables.module.css'
import { csvLabel, csvUnit } from './columns.ts'
import classes from './content.module.css'
import {
  type ContentFigure,
  type ContentKind,
  type ContentOrder,
  type ContentSearch,
  contentKinds,
  contentOrders,
  contentQuery,
  readAllContent,
  singleMessagesQuery,
} from './funnel-queries.ts'
import type { ViewProps } from './period.ts'

// Most creators look at the list.
const ReachView = lazy(() => import('./reach-view.tsx'))

const texts = funnelTexts.content

/** Posts, messages, and products with what they earned and who saw them (STATX-02), or how far viewers got in one of them. */
export default function ContentView({ profileId }: ViewProps) {
  const [parameters, setParameters] = useSearchParams()
  const kind = contentKinds.find((one) => one === parameters.get('kind')) ?? 'posts'
  const played = parameters.get('played') ?? ''
  const address = (changes: Record<string, string | null>) => {
    const next = new URLSearchParams(parameters)
    for (const [name, value] of Object.entries(changes))
      if (value === null) next.delete(name)
      else next.set(name, value)
    return next
  }
  const reachOf = (id: string) => `?${address({ kind, played: id })}`
  if (kind !== 'products' && (isId(played) || (kind === 'messages' && played === 'singles')))
    return (
      <ReachView
        profileId={profileId}
        played={played === 'singles' ? 'singles' : { kind, id: played }}
        back={`?${address({ played: null })}`}
      />
    )
  return (
    <>
      <Segments
        className={classes.choice}
        aria-label={texts.label}
        value={kind}
        onChange={(next) =>
          setParameters(address({ kind: next === 'posts' ? null : next, played: null }), { replace: true })
        }
        data={contentKinds.map((value) => ({ value, label: texts.kinds[value] }))}
      />
      {kind === 'messages' && <SingleMessages profileId={profileId} reach={reachOf('singles')} />}
      <Content key={kind} profileId={profileId} kind={kind} reachOf={reachOf} />
    </>
  )
}

/** What one fan got is one fan's: the sums are what says something. */
function SingleMessages({ profileId, reach }: { profileId: string; reach: string }) {
  const figures = useQuery(singleMessagesQuery(profileId))
  const { singles } = texts
  if (figures.isError && !figures.data) return <LoadFailed order={3} title={texts.loadFailed} of={figures} />
  const show = (value: number | undefined, format: (value: number) => string) =>
    value === undefined ? undefined : format(value)
  return (
    <section aria-labelledby="single-messages">
      <div className={classes.head}>
        <h3 id="single-messages" className={classes.heading}>
          {singles.title}
        </h3>
        <Button
          component={Link}
          to={reach}
          variant="default"
          size="sm"
          leftSection={<IconChartLine size={16} stroke={1.75} aria-hidden="true" />}
        >
          {singles.reach}
        </Button>
      </div>
      <StatList aria-labelledby="single-messages">
        <Stat label={singles.viewers} value={show(figures.data?.viewers, formatCount)} />
        <Stat label={singles.purchases} value={show(figures.data?.purchases, formatCount)} />
        <Stat label={singles.net} value={show(figures.data?.net_cents, formatCents)} />
      </StatList>
    </section>
  )
}

type ContentProps = { profileId: string; kind: ContentKind; reachOf: (id: string) => string }

function Content({ profileId, kind, reachOf }: ContentProps) {
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<ContentOrder>('newest')
  const [wantedText] = useDebouncedValue(search.trim(), 250)
  const wanted = { kind, order, search: wantedText }
  const query = useInfiniteQuery({ ...contentQuery(profileId, wanted), placeholderData: keepPreviousData })
  const rows = query.data?.pages.flat()
  return (
    <section className={classes.list} aria-labelledby="content-figures">
      <h3 id="content-figures" className={classes.heading}>
        {texts.titles[kind]}
      </h3>
      <p className={classes.hint}>{texts.hint[kind]}</p>
      <div className={classes.tools}>
        <SearchField
          label={texts.search[kind]}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          className={classes.search ?? ''}
        />
        <SelectField
          label={texts.order}
          value={order}
          onChange={setOrder}
          data={contentOrders.map((value) => ({
            value,
            label: value === 'views' ? texts.orders.views[kind] : texts.orders[value],
          }))}
        />
        {rows !== undefined && rows.length > 0 && <CsvButton wanted={wanted} />}
      </div>
      <PagedList
        query={query}
        rows={rows}
        pending={<ListSkeleton rows={4} />}
        failed={{ title: texts.loadFailed, order: 3 }}
        empty={
          <EmptyState
            order={3}
            icon={<IconChartBar size={26} stroke={1.5} aria-hidden="true" />}
            {...(wantedText ? texts.noMatch : texts.empty[kind])}
          />
        }
        moreFailed={texts.loadMoreFailed}
      >
        {(shown, more) => (
          <>
            <FiguresTable rows={shown} kind={kind} order={order} reachOf={reachOf} />
            {more}
          </>
        )}
      </PagedList>
    </section>
  )
}

function CsvButton({ wanted }: { wanted: ContentSearch }) {
  const [isPending, setPending] = useState(false)
  const { kind } = wanted
  const save = async () => {
    setPending(true)
    try {
      download(`${kind}.csv`, 'text/csv;charset=utf-8', csvOf(csvRows(kind, await readAllContent(wanted))))
    } catch {
      toast.error(texts.csvFailed)
    } finally {
      setPending(false)
    }
  }
  return (
    <Button
      variant="default"
      loading={isPending}
      leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
      aria-label={texts.csvOf[kind]}
      onClick={() => void save()}
    >
      {texts.csv}
    </Button>
  )
}

function csvRows(kind: ContentKind, rows: readonly ContentFigure[]): string[][] {
  const { columns } = texts
  const isMessages = kind === 'messages'
  return [
    [
      columns.title[kind],
      columns.newest[kind],
      ...(isMessages ? [columns.recipients] : []),
      columns.views[kind],
      columns.purchases,
      csvLabel(columns.earnings, 'cents'),
    ],
    ...rows.map((row) => [
      row.title,
      row.created_at,
      ...(isMessages ? [csvUnit(row.recipients, 'count')] : []),
      csvUnit(row.views, 'count'),
      csvUnit(row.purchases, 'count'),
      csvUnit(row.net_cents, 'cents'),
    ]),
  ]
}

type TableProps = { rows: ContentFigure[]; kind: ContentKind; order: ContentOrder; reachOf: (id: string) => string }

function FiguresTable({ rows, kind, order, reachOf }: TableProps) {
  const { columns } = texts
  const isMessages = kind === 'messages'
  const sorted = (by: ContentOrder) => (order === by ? 'descending' : undefined)
  const plays = rows.some(canPlay)
  return (
    <TableFrame aria-label={texts.titles[kind]}>
      <Table className={`${tableClasses.table} ${classes.table}`} verticalSpacing="sm" horizontalSpacing="lg">
        <caption className="visually-hidden">{texts.titles[kind]}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{columns.title[kind]}</Table.Th>
            <Table.Th scope="col" data-date data-wide aria-sort={sorted('newest')}>
              {columns.newest[kind]}
            </Table.Th>
            {isMessages && (
              <Table.Th scope="col" data-number data-wide>
                {columns.recipients}
              </Table.Th>
            )}
            <Table.Th scope="col" data-number data-wide aria-sort={sorted('views')}>
              {columns.views[kind]}
            </Table.Th>
            <Table.Th scope="col" data-number data-wide aria-sort={sorted('purchases')}>
              {columns.purchases}
            </Table.Th>
            <Table.Th scope="col" data-number aria-sort={sorted('earnings')}>
              {columns.earnings}
            </Table.Th>
            {plays && <Table.Td className={classes.button} />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const title = row.title.trim() || texts.untitled[kind]
            return (
              <Table.Tr key={row.id}>
                <Table.Th scope="row">
                  <span className={classes.title} dir="auto">
                    {isMessages ? (
                      title
                    ) : (
                      <Link to={kind === 'posts' ? paths.post(row.id) : paths.product(row.id)}>{title}</Link>
                    )}
                  </span>
                  <span className={`${classes.under} facts`}>
                    {factsOf(kind, row).map((fact) => (
                      <span key={fact}>{fact}</span>
                    ))}
                  </span>
                </Table.Th>
                <Table.Td data-date data-wide>
                  {formatDate(row.created_at)}
                </Table.Td>
                {isMessages && (
                  <Table.Td data-number data-wide>
                    {formatCount(row.recipients ?? 0)}
                  </Table.Td>
                )}
                <Table.Td data-number data-wide>
                  {formatCount(row.views)}
                </Table.Td>
                <Table.Td data-number data-wide>
                  {isSold(kind, row) ? formatCount(row.purchases) : '–'}
                </Table.Td>
                <Table.Td data-number data-strong>
                  {formatCents(row.net_cents)}
                </Table.Td>
                {plays && (
                  <Table.Td className={classes.button}>
                    {canPlay(row) && (
                      <Button
                        component={Link}
                        to={reachOf(row.id)}
                        variant="default"
                        size="compact-md"
                        px="xs"
                        aria-label={texts.open(title)}
                        title={texts.open(title)}
                      >
                        <IconChartLine size={16} stroke={1.75} aria-hidden="true" />
                      </Button>
                    )}
                  </Table.Td>
                )}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

/** What a phone has no columns for. */
const factsOf = (kind: ContentKind, row: ContentFigure): string[] => [
  formatDate(row.created_at),
  kind === 'messages'
    ? texts.facts.opened(formatCount(row.views), formatCount(row.recipients ?? 0))
    : pluralize(row.views, texts.facts.view),
  ...(isSold(kind, row) ? [texts.facts.bought(formatCount(row.purchases))] : []),
]

const canPlay = ({ media_types }: ContentFigure): boolean => media_types.some((type) => type !== 'image')

/** A free post isn't sold, unless it was before. */
const isSold = (kind: ContentKind, row: ContentFigure): boolean =>
  kind !== 'posts' || row.post_type === 'ppv' || row.purchases > 0
