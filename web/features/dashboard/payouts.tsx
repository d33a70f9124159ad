import { commonTexts } from '@ovation/contract/texts/common'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { payoutsQuery } from './earnings-queries.ts'
import classes from './panel.module.css'
import { Panel } from './panel.tsx'

const texts = dashboardTexts.earnings

/** Payouts to the bank, and payouts that the bank returned. */
export function Payouts({ profileId }: { profileId: string }) {
  const payouts = useInfiniteQuery({ ...payoutsQuery(profileId), select: ({ pages }) => pages.flat() })
  return (
    <Panel title={texts.payouts} query={payouts} empty={texts.noPayouts} failure={texts.payoutsFailed}>
      {(rows) => (
        <>
          <ul className={classes.rows}>
            {rows.map(({ id, amount, created_at }) => (
              <li key={id} className={classes.row}>
                <span className={classes.text}>{formatDate(created_at)}</span>
                <span className={classes.amount}>{formatCents(amount)}</span>
              </li>
            ))}
          </ul>
          <LoadMore onClickOnly of={payouts} failure={commonTexts.offline} />
        </>
      )}
    </Panel>
  )
}
