import { sql } from '../postgres/sql.ts'
import type { Payments } from './payments.ts'
import { timeOf } from './sync-subscription.ts'

/**
 * Takes over a payout to a creator's bank, and its way back when the bank did not take it (D39).
 * @param accountId whose it is; the platform's own payouts are the operator's, and in no book here.
 */
export async function recordPayout(payments: Payments, accountId: string | undefined, payoutId: string): Promise<void> {
  if (accountId === undefined) return
  const { service } = payments.database
  const [creator] = await service.rows<{ id: string }>(sql`
    select id from private.profiles where stripe_account_id = ${accountId}`)
  if (!creator) return // the account's holder is gone, or never was one of ours
  const payout = await payments.stripe.api.payouts.retrieve(payoutId, {}, { stripeAccount: accountId })
  if (payout.status !== 'paid' && payout.status !== 'failed') return
  const [posted] = await service.rows<{ id: string }>(sql`
    select private.post_payout(${payout.id}, ${creator.id}, ${payout.amount}, ${payout.currency}, ${timeOf(payout.created)}) as id`)
  if (payout.status !== 'failed' || !posted) return
  await service.rows(sql`
    select private.post_payout_return(${`${payout.id}:failed`}, ${posted.id}, ${timeOf(payout.arrival_date)})`)
}
