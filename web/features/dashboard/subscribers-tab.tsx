import { Badge, Table } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDate } from '../../lib/format.ts'
import { PersonAvatar, PersonLink } from './person-link.tsx'
import { type Subscriber, subscribersQuery } from './queries.ts'
import classes from './tables.module.css'
import { WholeList } from './whole-list.tsx'

const texts = dashboardTexts.subscribers

export function SubscribersTab({ profileId }: { profileId: string }) {
  const query = useInfiniteQuery(subscribersQuery(profileId))
  return (
    <WholeList query={query} empty={texts.empty} failure={texts.loadFailed}>
      {(rows) => <SubscriberTable rows={rows} />}
    </WholeList>
  )
}

function SubscriberTable({ rows }: { rows: Subscriber[] }) {
  const { columns } = texts
  return (
    <div className={`surface ${classes.frame}`}>
      <Table className={classes.table} verticalSpacing="sm" horizontalSpacing="lg">
        <caption className="visually-hidden">{texts.title}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{columns.subscriber}</Table.Th>
            <Table.Th scope="col" data-wide>
              {columns.plan}
            </Table.Th>
            <Table.Th scope="col">{columns.status}</Table.Th>
            <Table.Th scope="col" data-wide>
              {columns.since}
            </Table.Th>
            <Table.Th scope="col" data-wide>
              {columns.period}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>
                <div className={classes.person}>
                  <PersonAvatar person={row.subscriber} size={32} />
                  <div>
                    <PersonLink person={row.subscriber} />
                    <span className={classes.under}>{[row.tier?.name, periodOf(row)].filter(Boolean).join(' · ')}</span>
                  </div>
                </div>
              </Table.Td>
              <Table.Td data-wide>{row.tier?.name}</Table.Td>
              <Table.Td>
                <Badge variant="light" color={colorOf(row.status)} className={classes.badge} data-status={row.status}>
                  {texts.status[row.status]}
                </Badge>
              </Table.Td>
              <Table.Td data-wide>{formatDate(row.created_at)}</Table.Td>
              <Table.Td data-wide>{periodOf(row)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

const colorOf = (status: Subscriber['status']): string =>
  status === 'active' || status === 'trial' ? 'teal' : status === 'past_due' ? 'yellow' : 'gray'

function periodOf({ status, current_period_end: end, cancel_at_period_end: ends }: Subscriber): string | null {
  if (!end) return null
  const over = status === 'canceled' && Date.parse(end) <= Date.now()
  if (over) return texts.ended(formatDate(end))
  return ends || status === 'canceled' ? texts.ends(formatDate(end)) : texts.renews(formatDate(end))
}
