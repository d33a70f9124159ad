import type { Sandbox } from '@ovation/sandbox'
import { expect } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'

export type Books = {
  readonly gateway: Pick<TestDatabase, 'query'>
  readonly sandbox: Pick<Sandbox, 'books'>
}

/**
 * Expects that our books match the sandbox's, and that nobody has lost or gained a cent.
 * @param replaced the lost accounts of creators, by the account that they have now: their earnings are in both.
 */
export async function expectBalancedBooks(
  { gateway, sandbox }: Books,
  replaced: Readonly<Record<string, readonly string[]>> = {},
): Promise<void> {
  for (const proof of [
    'private.verify_ledger()',
    'private.verify_money()',
    'private.payment_differences where resolved_at is null',
  ])
    expect(await gateway.query(`select * from ${proof}`)).toEqual([])
  const { platform, accounts, paidIn, paidOut } = sandbox.books()
  const held = Object.values(accounts).reduce((sum, cents) => sum + cents, 0)
  expect(platform + held).toBe(paidIn - paidOut)
  const creators = await gateway.query<{ account: string; balance: number }>(
    `select stripe_account_id as account, (private.balance_of(id) - private.owed_for_referrals(id))::int as balance
     from private.profiles where stripe_account_id is not null`,
  )
  for (const { account, balance } of creators) {
    const own = [account, ...(replaced[account] ?? [])].reduce((sum, id) => sum + (accounts[id] ?? 0), 0)
    expect([account, own]).toEqual([account, balance])
  }
  const [ours] = await gateway.query<{ fees: number; unpaid: number; at_provider: number }>(
    `select coalesce(-sum(e.amount_cents) filter (where a.code = 'platform_fees'), 0)::int as fees,
       coalesce(sum(e.amount_cents) filter (where a.code = 'stripe'), 0)::int as at_provider,
       (select coalesce(sum(private.owed_for_referrals(p.id)), 0)::int from private.profiles p) as unpaid
     from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id`,
  )
  // The platform still holds referral earnings that can't be paid yet.
  expect(platform).toBe((ours?.fees ?? 0) + (ours?.unpaid ?? 0))
  expect(paidIn - paidOut).toBe(ours?.at_provider)
}
