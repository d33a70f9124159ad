import { Table } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useInfiniteQuery } from '@tanstack/react-query'
import { formatCents, formatDate, formatDollars, pluralize } from '../../lib/format.ts'
import { StatementButton } from '../payments/statement-button.tsx'
import { Balance } from './balance.tsx'
import classes from './dashboard-screen.module.css'
import { EarningsDays } from './earnings-days.tsx'
import { Payouts } from './payouts.tsx'
import { PersonLink } from './person-link.tsx'
import { type Payment, paymentsQuery } from './queries.ts'
import tableClasses from './tables.module.css'
import { WholeList } from './whole-list.tsx'

const texts = dashboardTexts.earnings

/** Where each dollar comes from, and what the platform keeps of it (GEN-06). */
export default function EarningsTab({ profileId }: { profileId: string }) {
  const query = useInfiniteQuery(paymentsQuery(profileId))
  return (
    <div className={classes.sections}>
      <Balance profileId={profileId} />
      <p className={classes.fee}>{texts.fee}</p>
      <EarningsDays profileId={profileId} />
      <Payouts profileId={profileId} />
      <section aria-labelledby="payments">
        <h2 id="payments" className={classes.heading}>
          {texts.title}
        </h2>
        <StatementButton />
        <WholeList query={query} empty={texts.empty} failure={texts.loadFailed}>
          {(rows) => <PaymentTable rows={rows} />}
        </WholeList>
      </section>
    </div>
  )
}

function PaymentTable({ rows }: { rows: Payment[] }) {
  const { columns } = texts
  return (
    <div className={`surface ${tableClasses.frame}`}>
      <Table className={tableClasses.table} verticalSpacing="sm" horizontalSpacing="lg">
        <caption className="visually-hidden">{texts.title}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" data-wide>
              {columns.date}
            </Table.Th>
            <Table.Th scope="col">{columns.from}</Table.Th>
            <Table.Th scope="col" data-wide>
              {columns.kind}
            </Table.Th>
            <Table.Th scope="col" data-number>
              {columns.gross}
            </Table.Th>
            <Table.Th scope="col" data-number>
              {columns.fee}
            </Table.Th>
            <Table.Th scope="col" data-number>
              {columns.net}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td data-wide>{formatDate(row.created_at)}</Table.Td>
              <Table.Td>
                <PersonLink person={row.from} />
                <span className={tableClasses.under}>
                  {texts.kinds[row.transaction_type]} · {formatDate(row.created_at)}
                </span>
              </Table.Td>
              <Table.Td data-wide>{texts.kinds[row.transaction_type]}</Table.Td>
              <Table.Td data-number>{formatDollars(row.amount)}</Table.Td>
              <Table.Td data-number>{feeOf(row.fee_amount)}</Table.Td>
              <Table.Td data-number data-strong>
                {formatDollars(row.net_amount)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Td data-wide />
            <Table.Th scope="row">{texts.sum(pluralize(rows.length, texts.payment))}</Table.Th>
            <Table.Td data-wide />
            <Table.Td data-number>{formatCents(sum(rows, 'amount'))}</Table.Td>
            <Table.Td data-number>{feeOf(sum(rows, 'fee_amount') / 100)}</Table.Td>
            <Table.Td data-number data-strong>
              {formatCents(sum(rows, 'net_amount'))}
            </Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </div>
  )
}

const feeOf = (dollars: number): string => (dollars === 0 ? formatDollars(0) : formatDollars(-dollars))

/** In cents: dollars do not add up in floating point. */
const sum = (rows: Payment[], column: 'amount' | 'fee_amount' | 'net_amount'): number =>
  rows.reduce((total, row) => total + Math.round(row[column] * 100), 0)
