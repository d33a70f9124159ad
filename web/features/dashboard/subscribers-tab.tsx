import { ActionIcon, Badge, Button, Table } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { csvOf } from '@ovation/contract/csv'
import { paths } from '@ovation/contract/paths'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { IconDownload, IconMessageCircle, IconShare3, IconUserSearch, IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { AboutFan } from '../../domain/fans/about-fan.tsx'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { addressOf, useViewer } from '../../lib/auth/viewer.ts'
import { download } from '../../lib/browser/download.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { Segments } from '../../ui/segments.tsx'
import { share } from '../../ui/share.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { toast } from '../../ui/toast.ts'
import { PersonAvatar, PersonLink, personName } from './person-link.tsx'
import type { Person } from './query-parts.ts'
import {
  readAllSubscribers,
  type SubscriberGroup,
  type SubscriberLine,
  subscriberTableQuery,
} from './subscriber-queries.ts'
import classes from './tables.module.css'
import { WholeList } from './whole-list.tsx'
import { type RowAttributes, WindowedBody } from './windowed-body.tsx'

const texts = dashboardTexts.subscribers
const groups = ['all', 'current', 'ending', 'past'] as const
const icon = { size: 17, stroke: 1.75, 'aria-hidden': true } as const

/** All past and current subscribers, with search, export, and group messages. */
export default function SubscribersTab({ profileId }: { profileId: string }) {
  const [search, setSearch] = useState('')
  const [group, setGroup] = useState<SubscriberGroup>('all')
  const [wanted] = useDebouncedValue(search.trim(), 250)
  const query = useInfiniteQuery(subscriberTableQuery(profileId, wanted, group))
  const isFiltered = wanted !== '' || group !== 'all'
  return (
    <>
      <div className={classes.tools}>
        <SearchField
          label={texts.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          className={classes.search}
        />
        <Segments
          aria-label={texts.group}
          value={group}
          onChange={setGroup}
          data={groups.map((value) => ({ value, label: texts.groups[value] }))}
          className={classes.groups}
        />
        <div className={classes.buttons}>
          <ExportButton profileId={profileId} search={wanted} group={group} />
          <Button
            component={Link}
            to={paths.newMassMessage(`to=${group === 'all' ? 'current' : group}`)}
            variant="default"
            leftSection={<IconUsers {...icon} />}
          >
            {texts.messageGroup}
          </Button>
        </div>
      </div>
      <WholeList
        query={query}
        empty={isFiltered ? texts.noMatch : { ...texts.empty, action: <ShareProfile /> }}
        icon={isFiltered ? IconUserSearch : IconUsers}
        failure={texts.loadFailed}
      >
        {(rows) => <SubscriberTable rows={rows} profileId={profileId} />}
      </WholeList>
    </>
  )
}

type ExportProps = { profileId: string; search: string; group: SubscriberGroup }

function ExportButton({ profileId, search, group }: ExportProps) {
  const [count, setCount] = useState(0)
  const { columns } = texts
  const exporting = useMutation({
    mutationFn: () => readAllSubscribers(profileId, search, group, setCount),
    onSuccess: (rows) => {
      const head = [
        columns.subscriber,
        'Username',
        columns.plan,
        columns.status,
        columns.since,
        columns.period,
        columns.spent,
      ]
      const lines = rows.map((row) => [
        personName(personOf(row)),
        row.username ?? '',
        row.plan_name ?? '',
        texts.status[statusOf(row)],
        String(row.created_at),
        periodOf(row) ?? '',
        (Number(row.spent) / 100).toFixed(2),
      ])
      download('subscribers.csv', 'text/csv;charset=utf-8', csvOf([head, ...lines]))
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.exportFailed),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload {...icon} />}
      onClick={() => exporting.mutate()}
      disabled={exporting.isPending}
    >
      {exporting.isPending ? texts.exporting(formatCount(count)) : texts.export}
    </Button>
  )
}

function SubscriberTable({ rows, profileId }: { rows: SubscriberLine[]; profileId: string }) {
  const { columns } = texts
  return (
    <TableFrame>
      <Table
        className={`${classes.table} ${classes.long}`}
        aria-rowcount={-1}
        verticalSpacing="sm"
        horizontalSpacing="lg"
      >
        <caption className="visually-hidden">{texts.title}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{columns.subscriber}</Table.Th>
            <Table.Th scope="col" data-wide data-plan>
              {columns.plan}
            </Table.Th>
            <Table.Th scope="col" data-roomy>
              {columns.status}
            </Table.Th>
            <Table.Th scope="col" data-wide data-date>
              {columns.since}
            </Table.Th>
            <Table.Th scope="col" data-wide data-period>
              {columns.period}
            </Table.Th>
            <Table.Th scope="col" data-number>
              {columns.spent}
            </Table.Th>
            <Table.Td data-narrow />
          </Table.Tr>
        </Table.Thead>
        <WindowedBody rows={rows} above={1}>
          {(row, attributes) => (
            <Line key={row.subscription_id} row={row} profileId={profileId} attributes={attributes} />
          )}
        </WindowedBody>
      </Table>
    </TableFrame>
  )
}

type LineProps = { row: SubscriberLine; profileId: string; attributes: RowAttributes }

function Line({ row, profileId, attributes }: LineProps) {
  const person = personOf(row)
  const status = statusOf(row)
  const period = periodOf(row)
  return (
    <Table.Tr {...attributes}>
      <Table.Td>
        <div className={classes.person}>
          <PersonAvatar person={person} size={32} />
          <div>
            <PersonLink person={person} />
            <span className={classes.under}>
              <span className={classes.plan}>{row.plan_name}</span>
              <span>{period}</span>
              <span data-phone>
                <StatusBadge status={status} />
              </span>
            </span>
          </div>
        </div>
      </Table.Td>
      <Table.Td data-wide>{row.plan_name}</Table.Td>
      <Table.Td data-roomy>
        <StatusBadge status={status} />
      </Table.Td>
      <Table.Td data-wide data-date>
        {formatDate(String(row.created_at))}
      </Table.Td>
      <Table.Td data-wide data-period>
        {period}
      </Table.Td>
      <Table.Td data-number>{formatCents(Number(row.spent))}</Table.Td>
      <Table.Td data-narrow>
        <AboutFan viewerId={profileId} fan={{ id: String(row.profile_id), name: personName(person) }} />
        <ActionIcon
          component={Link}
          to={paths.conversation(addressOf(person))}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.messageOne(personName(person))}
        >
          <IconMessageCircle size={18} stroke={1.6} />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  )
}

/** Helps a creator without subscribers to find some. */
function ShareProfile() {
  const viewer = useViewer()
  if (!viewer) return null
  const { username, displayName, userId } = viewer
  const path = paths.profile(username ?? userId)
  return (
    <Button
      variant="default"
      leftSection={<IconShare3 size={18} stroke={1.6} />}
      onClick={() => void share({ title: displayName ?? username ?? '', path })}
    >
      {texts.share}
    </Button>
  )
}

const personOf = (row: SubscriberLine): Person => ({
  user_id: String(row.user_id),
  username: row.username,
  display_name: row.display_name,
  avatar_url: row.avatar_url,
  updated_at: String(row.updated_at),
})

type Status = keyof typeof texts.status
const statusOf = (row: SubscriberLine): Status => row.status as Status

function StatusBadge({ status }: { status: Status }) {
  return (
    <Badge variant="light" color={colorOf(status)} className={classes.badge} data-status={status}>
      {texts.status[status]}
    </Badge>
  )
}

const colorOf = (status: Status): string =>
  status === 'active' || status === 'trial' ? 'teal' : status === 'past_due' ? 'yellow' : 'gray'

function periodOf({ status, current_period_end: end, cancel_at_period_end: ends }: SubscriberLine): string | null {
  if (!end) return null
  const over = status === 'canceled' && Date.parse(end) <= Date.now()
  if (over) return texts.ended(formatDate(end))
  return ends || status === 'canceled' ? texts.ends(formatDate(end)) : texts.renews(formatDate(end))
}
