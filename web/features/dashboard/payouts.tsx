import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useQuery } from '@tanstack/react-query'
import { formatDate, formatDollars } from '../../lib/format.ts'
import classes from './panel.module.css'
import { Panel } from './panel.tsx'
import { payoutsQuery } from './queries.ts'

const texts = dashboardTexts.earnings

/** What went to the bank, and what the bank sent back. */
export function Payouts({ profileId }: { profileId: string }) {
  const payouts = useQuery(payoutsQuery(profileId))
  return (
    <Panel title={texts.payouts} query={payouts} empty={texts.noPayouts} failure={texts.payoutsFailed}>
      {(rows) => (
        <ul className={classes.rows}>
          {rows.map(({ id, amount, created_at }) => (
            <li key={id} className={classes.row}>
              <span className={classes.words}>{formatDate(created_at)}</span>
              <span className={classes.amount}>{formatDollars(amount)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
