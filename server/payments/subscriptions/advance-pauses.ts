import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { setPauses } from './set-pause.ts'
import { syncWhereKnown } from './sync-subscription.ts'

/** Subscribers in one transaction. */
const most = 500

/**
 * Moves all pauses on (OFFER-09, OFFER-10): walks creators' pauses through their subscribers, begins and ends fans' pauses, writes their
 * notices, and brings to Stripe what it shall have. Each step is a transaction, so that a killed run goes on where it was.
 */
export async function advancePauses(payments: Payments): Promise<void> {
  const { service } = payments.database
  const again = async (step: () => Promise<{ more: boolean }[]>) => {
    for (;;) if (!(await step())[0]?.more) return
  }
  await again(() => service.rows(sql`select private.advance_billing_pause(null, ${most}) as more`))
  await setPauses(payments)
  await again(() => service.rows(sql`select private.begin_next_pause() as more`))
  await again(() => service.rows(sql`select private.write_pause_notices() > 0 as more`))
  const due = await service.rows<{ id: string }>(sql`select private.pauses_due() as id`)
  for (const { id } of due) await syncWhereKnown(payments, id)
}
