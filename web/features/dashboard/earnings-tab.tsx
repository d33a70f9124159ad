import { Table } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { IconReceipt } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Refund } from '../../domain/payments/refund.tsx'
import { appConfig } from '../../lib/api/config.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import { Balance } from './balance.tsx'
import classes from './dashboard-screen.module.css'
import { EarningsDays } from './earnings-days.tsx'
import { type Payment, paymentsQuery, type Totals, totalsQuery } from './earnings-queries.ts'
import { Payouts } from './payouts.tsx'
import { PersonLink, personName } from './person-link.tsx'
import { dashboardKey } from './query-parts.ts'
import { Statement } from './statement.tsx'
import tableClasses from './tables.module.css'
import { WholeList } from './whole-list.tsx'
import { WindowedBody } from './windowed-body.tsx'

const texts = dashboardTexts.earnings

/** Each payment, and the platform's fee (GEN-06). */
export default function EarningsTab({ profileId }: { profileId: string }) {
  const query = useInfiniteQuery(paymentsQuery(profileId))
  const totals = useQuery(totalsQuery(profileId))
  return (
    <div className={classes.sections}>
      <Balance profileId={profileId} />
      <p className={classes.fee}>{texts.fee(appConfig().feePercent)}</p>
      <EarningsDays profileId={profileId} />
      <Payouts profileId={profileId} />
      <Statement />
      <section aria-labelledby="payments">
        <h2 id="payments" className={classes.heading}>
          {texts.title}
        </h2>
        <WholeList query={query} empty={texts.empty} icon={IconReceipt} failure={texts.loadFailed}>
          {(rows) => <PaymentTable rows={rows} totals={totals.data} profileId={profileId} />}
        </WholeList>
      </section>
    </div>
  )
}

/** A phone has no room for a second amount beside one of this many characters. */
const wideAmount = 10

type TableProps = { rows: Payment[]; totals: Totals | undefined; profileId: string }

function PaymentTable({ rows, totals, profileId }: TableProps) {
  const { columns } = texts
  const queryClient = useQueryClient()
  const again = () => void queryClient.invalidateQueries({ queryKey: dashboardKey(profileId) })
  const amounts = [...rows.map(({ amount }) => amount), totals?.gross ?? 0]
  return (
    <TableFrame>
      <Table
        className={`${tableClasses.table} ${tableClasses.long}`}
        data-wide-amounts={amounts.some((amount) => formatCents(amount).length > wideAmount) || undefined}
        aria-rowcount={-1}
        verticalSpacing="sm"
        horizontalSpacing="lg"
      >
        <caption className="visually-hidden">{texts.title}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" data-wide data-date>
              {columns.date}
            </Table.Th>
            <Table.Th scope="col">{columns.from}</Table.Th>
            <Table.Th scope="col" data-wide data-kind>
              {columns.kind}
            </Table.Th>
            <Table.Th scope="col" data-number data-gross>
              {columns.gross}
            </Table.Th>
            <Table.Th scope="col" data-number data-roomy>
              {columns.fee}
            </Table.Th>
            <Table.Th scope="col" data-number>
              {columns.net}
            </Table.Th>
            <Table.Th scope="col" data-narrow>
              <span className="visually-hidden">{texts.refund.open}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        {totals && <TotalsRow totals={totals} />}
        <WindowedBody rows={rows} above={2}>
          {(row, attributes) => (
            <Table.Tr key={row.id} {...attributes}>
              <Table.Td data-wide data-date>
                {formatDate(row.created_at)}
              </Table.Td>
              <Table.Td className={tableClasses.from}>
                <PersonLink person={row.from} />
                <span className={tableClasses.under}>
                  {kindOf(row)}
                  <span className={tableClasses.between}> · </span>
                  <span className={tableClasses.together}>{formatDate(row.created_at)}</span>
                  <PaidAndFee gross={row.amount} fee={row.fee_amount} />
                </span>
              </Table.Td>
              <Table.Td data-wide data-kind>
                {kindOf(row)}
              </Table.Td>
              <Table.Td data-number data-gross>
                {formatCents(row.amount)}
              </Table.Td>
              <Table.Td data-number data-roomy>
                {feeOf(row.fee_amount)}
              </Table.Td>
              <Table.Td data-number data-strong>
                {formatCents(row.net_amount)}
              </Table.Td>
              <Table.Td data-narrow>
                <Refund payment={row} name={personName(row.from)} onDone={again} />
              </Table.Td>
            </Table.Tr>
          )}
        </WindowedBody>
      </Table>
    </TableFrame>
  )
}

/** The totals of all payments, not only of loaded rows. Above the rows, because few would scroll to the end. */
function TotalsRow({ totals }: { totals: Totals }) {
  return (
    <Table.Tbody className={tableClasses.totals}>
      <Table.Tr aria-rowindex={2}>
        <Table.Td data-wide />
        <Table.Th scope="row">
          {texts.all(totals.payments)}
          <span className={tableClasses.under}>
            <PaidAndFee gross={totals.gross} fee={totals.fee} />
          </span>
        </Table.Th>
        <Table.Td data-wide />
        <Table.Td data-number data-gross>
          {formatCents(totals.gross)}
        </Table.Td>
        <Table.Td data-number data-roomy>
          {feeOf(totals.fee)}
        </Table.Td>
        <Table.Td data-number data-strong>
          {formatCents(totals.net)}
        </Table.Td>
        <Table.Td data-narrow />
      </Table.Tr>
    </Table.Tbody>
  )
}

/** The amounts that have no column on a phone. */
function PaidAndFee({ gross, fee }: { gross: number; fee: number }) {
  const { columns } = texts
  return (
    <>
      <span data-phone data-gross>{`${columns.gross} ${formatCents(gross)}`}</span>
      <span data-phone>{`${columns.fee} ${feeOf(fee)}`}</span>
    </>
  )
}

/** A refund can fail later, if the bank rejects it. */
const kindOf = ({ transaction_type: kind, status }: Payment): string =>
  status === 'failed' ? texts.refund.turnedDown : texts.kinds[kind]

const feeOf = (cents: number): string => (cents === 0 ? formatCents(0) : formatCents(-cents))
