import { randomUUID } from 'node:crypto'
import type { Creator, DatabaseFixture, Person } from './database-fixture.ts'

type Payment = { cause?: string; gross?: number; fee?: number; at?: string }
const now = () => new Date().toISOString()

/** The movements of money as the server books them, with whole payments of $10.00 and a fee of 10 % unless said otherwise. */
export function openBooks(world: DatabaseFixture) {
  async function service(text: string, values: unknown[]): Promise<string> {
    const [row] = await world.as('service_role', `select ${text} as id`, values)
    return String(row?.id)
  }
  const parts = ({ gross = 1000, fee = Math.round(gross / 10), at = now() }: Payment) => [gross, fee, 'usd', at]

  return {
    /** @returns transactions.id */
    buy: (fan: Person, creator: Creator, postId: string, { cause = `pi_${randomUUID()}`, ...rest }: Payment = {}) =>
      service('private.post_purchase($1, $2, $3, $4, $5, $6, $7, $8)', [
        cause,
        fan.profileId,
        creator.profileId,
        postId,
        ...parts(rest),
      ]),
    buyProduct: (
      fan: Person,
      creator: Person,
      productId: string,
      { cause = `pi_${randomUUID()}`, ...rest }: Payment = {},
    ) =>
      service('private.post_product_purchase($1, $2, $3, $4, $5, $6, $7, $8)', [
        cause,
        fan.profileId,
        creator.profileId,
        productId,
        ...parts(rest),
      ]),
    tip: (
      fan: Person,
      creator: Creator,
      { cause = `pi_${randomUUID()}`, ...rest }: Payment = {},
      postId?: string,
      note?: string,
      goalId?: string,
    ) =>
      service('private.post_tip($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
        cause,
        fan.profileId,
        creator.profileId,
        ...parts(rest),
        postId ?? null,
        note ?? null,
        goalId ?? null,
      ]),
    paySession: (
      fan: Person,
      creator: Creator,
      bookingId: string,
      { cause = `pi_${randomUUID()}`, ...rest }: Payment = {},
    ) =>
      service('private.post_session_payment($1, $2, $3, $4, $5, $6, $7, $8)', [
        cause,
        bookingId,
        fan.profileId,
        creator.profileId,
        ...parts(rest),
      ]),
    /** All that is left unless `cents` says how much. */
    refund: (transactionId: string, cents: number | null = null, cause = `re_${randomUUID()}`, at = now()) =>
      service('private.post_refund($1, $2, $3, $4, $5)', [cause, transactionId, cents, at, 'asked for']),
    dispute: (transactionId: string, status: 'open' | 'won' | 'lost', cents = 1000, id = `dp_${transactionId}`) =>
      service('private.post_dispute($1, $2, $3, $4, now())', [id, transactionId, cents, status]),
    payOut: (creator: Person, cents: number, cause = `po_${randomUUID()}`, at = now()) =>
      service(`private.post_payout($1, $2, $3, 'usd', $4)`, [cause, creator.profileId, cents, at]),
    returnPayout: (payoutId: string, cause = `por_${randomUUID()}`) =>
      service('private.post_payout_return($1, $2, now())', [cause, payoutId]),

    async transaction(id: string) {
      const [row] = await world.query('select * from public.transactions where id = $1', [id])
      return row
    },
    async earnings(person: Person) {
      const [row] = await world.query('select total_earnings from private.profiles where id = $1', [person.profileId])
      return row?.total_earnings
    },
    /** Cents that the ledger owes the person. */
    async balance(person: Person) {
      const [row] = await world.query('select private.balance_of($1)::int as cents', [person.profileId])
      return row?.cents
    },
    tasks: (transactionId: string) =>
      world.query('select kind, done_at from private.payment_tasks where transaction_id = $1', [transactionId]),
    /** What is unsound: nothing, always. */
    async problems() {
      return world.query(
        `select account_code as subject, problem from private.verify_ledger()
         union all select subject, problem from private.verify_money()
         union all select profile_id::text, counter || ' ' || coalesce(kept, 0) || ' is ' || coalesce(counted, 0) from private.verify_counters()`,
      )
    },
  }
}
