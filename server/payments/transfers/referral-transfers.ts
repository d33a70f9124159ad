import { sql } from '../../postgres/sql.ts'
import { isDefiniteRefusal, keyAfter } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { findTransfer, sendTransfer } from './send-transfer.ts'
import { isWantOfMoney } from './take-from-creator.ts'

type Due = {
  readonly id: string
  readonly account: string
  /** The account that the user has now, if the transfer was begun for one that is lost. */
  readonly newAccount: string | null
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
    select t.id::text, t.stripe_account_id as account, nullif(p.stripe_account_id, t.stripe_account_id) as "newAccount",
      t.amount_cents::int as "amountCents", t.created_at as since, t.refusals
    from private.begin_referral_transfers() t left join private.profiles p on p.id = t.profile_id order by t.id`)
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

async function send(payments: Payments, due: Due): Promise<void> {
  const { id, amountCents, since } = due
  const metadata = { kind: 'referral', referral_transfer: id }
  // The lost account may have received it without our hearing of it.
  const sent =
    due.newAccount === null ? undefined : await findTransfer(payments, { destination: due.account, metadata, since })
  const { account, refusals } = sent || due.newAccount === null ? due : await readdress(payments, due, due.newAccount)
  const transfer =
    sent ??
    (await sendTransfer(payments, {
      amountCents,
      destination: account,
      description: 'Referral earnings',
      metadata,
      idempotencyKey: keyAfter(`referral:${id}`, refusals),
      since,
    }))
  await payments.database.service.rows(sql`
    update private.referral_transfers set stripe_transfer_id = ${transfer.id}, done_at = now()
    where id = ${id}::bigint and done_at is null`)
}

/** Directs a transfer to the account that the user has now, which needs another idempotency key as well. */
async function readdress(
  { database }: Payments,
  { id, account, refusals }: Due,
  newAccount: string,
): Promise<Pick<Due, 'account' | 'refusals'>> {
  const [changed] = await database.service.rows<Pick<Due, 'account' | 'refusals'>>(sql`
    update private.referral_transfers set stripe_account_id = ${newAccount}, refusals = refusals + 1
    where id = ${id}::bigint and done_at is null and stripe_account_id = ${account}
    returning stripe_account_id as account, refusals`)
  // Another process has done it at this moment, and uses the same key.
  return changed ?? { account: newAccount, refusals: refusals + 1 }
}
