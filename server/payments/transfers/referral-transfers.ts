import { sql } from '../../postgres/sql.ts'
import { isDefiniteRefusal, keyAfter } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { sendTransfer } from './send-transfer.ts'
import { isWantOfMoney } from './take-from-creator.ts'

type Due = {
  readonly id: string
  readonly account: string
  readonly amountCents: number
  readonly since: Date
  readonly refusals: number
}

/**
 * Transfers commissions and rewards from the platform's share to the referrers (D17). Each transfer is stored with
 * its own number before the request to Stripe, so that a lost response can be requested again.
 * @throws if any of them failed, so that the job retries. One that waits for the platform's balance has not failed.
 */
export async function payReferrals(payments: Payments): Promise<void> {
  const due = await payments.database.service.rows<Due>(sql`
    select id::text, stripe_account_id as account, amount_cents::int as "amountCents", created_at as since, refusals from private.begin_referral_transfers()`)
  const failures: unknown[] = []
  for (const transfer of due) {
    await send(payments, transfer).catch(async (error: unknown) => {
      if (isWantOfMoney(error))
        payments.log.info({ transfer: transfer.id, err: error }, 'referral earnings wait for money')
      else failures.push(error)
      if (isDefiniteRefusal(error)) await countRefusal(payments, transfer)
    })
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} referral transfers failed`)
}

/** The next attempt needs another key: under the same one, the provider repeats this rejection for a day. */
async function countRefusal({ database }: Payments, { id }: Due): Promise<void> {
  await database.service.rows(sql`
    update private.referral_transfers set refusals = refusals + 1 where id = ${id}::bigint and done_at is null`)
}

async function send(payments: Payments, { id, account, amountCents, since, refusals }: Due): Promise<void> {
  const transfer = await sendTransfer(payments, {
    amountCents,
    destination: account,
    description: 'Referral earnings',
    metadata: { kind: 'referral', referral_transfer: id },
    idempotencyKey: keyAfter(`referral:${id}`, refusals),
    since,
  })
  await payments.database.service.rows(sql`
    update private.referral_transfers set stripe_transfer_id = ${transfer.id}, done_at = now()
    where id = ${id}::bigint and done_at is null`)
}
