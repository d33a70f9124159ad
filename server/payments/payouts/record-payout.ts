import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { isAccountGone } from '../accounts/accounts.ts'
import type { Payments } from '../payments.ts'
import { timeOf } from '../stripe-values.ts'

/** The currency of all books. */
const booksCurrency = 'usd'

/**
 * Records a payout to a creator's bank, a debit from it (a negative amount), and the return if the bank rejected it (D39).
 * @param accountId its owner; the platform's own payouts are the operator's, and in no book here.
 * @param announced the payout as its event has it: all that is left to read once the account has left the platform.
 */
export async function recordPayout(
  payments: Payments,
  accountId: string | undefined,
  payoutId: string,
  announced?: Stripe.Payout,
): Promise<void> {
  if (accountId === undefined) return
  const { service } = payments.database
  const [creator] = await service.rows<{ id: string }>(sql`
    select id from private.profiles where stripe_account_id = ${accountId}`)
  if (!creator) return // the account's holder is gone, or never was ours
  const payout = await payments.stripe.api.payouts
    .retrieve(payoutId, {}, { stripeAccount: accountId })
    .catch((error: unknown) => {
      if (!announced || !isAccountGone(error)) throw error
      return announced
    })
  const { amount, currency } = payout
  if ((payout.status !== 'paid' && payout.status !== 'failed') || amount === 0) return
  if (currency !== booksCurrency) {
    // Cents of two currencies can't be added up: an operator has to find out the amount in dollars.
    await service.rows(sql`
      select private.record_foreign_payout(${payout.id}, ${creator.id}, ${amount}, ${moneyIn(currency, amount)})`)
    payments.log.error({ payout: payout.id, amount, currency }, 'a payout in another currency was not booked')
    return
  }
  const [posted] = await service.rows<{ id: string }>(sql`
    select private.post_payout(${payout.id}, ${creator.id}, ${amount}, ${currency}, ${timeOf(payout.created)}) as id`)
  if (payout.status !== 'failed' || !posted) return
  await service.rows(sql`
    select private.post_payout_return(${`${payout.id}:failed`}, ${posted.id}, ${timeOf(payout.arrival_date)})`)
}

/** In the currency's own units: yen have no cents. */
function moneyIn(currency: string, amount: number): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
