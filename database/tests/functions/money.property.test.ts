import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())

/** A step names a payment of before by `nth`, whichever there are then. `again` says it twice, as a provider does. */
const nth = fc.nat(20)
const step = fc.record({
  again: fc.boolean(),
  what: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('tip'),
        gross: fc.integer({ min: 100, max: 50_000 }),
        share: fc.nat(100),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('buy'),
        gross: fc.integer({ min: 100, max: 5_000 }),
        share: fc.nat(100),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('subscribe'),
        gross: fc.integer({ min: 100, max: 99_999 }),
        share: fc.nat(100),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('refund'), nth, cents: fc.option(fc.integer({ min: 1, max: 60_000 })) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('dispute'), nth, cents: fc.integer({ min: 1, max: 60_000 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('decide'), nth, won: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('payout'), cents: fc.integer({ min: 1, max: 60_000 }) }) },
  ),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The same rules once more, in a few lines of arithmetic, to compare the books with. */
type Payment = {
  id: string
  gross: number
  fee: number
  refunded: number
  disputes: { cents: number; open: boolean; id: string }[]
}
const feeBack = ({ gross, fee, refunded }: Payment) => Math.floor((2 * fee * refunded + gross) / (2 * gross))
const kept = (payment: Payment) => payment.gross - payment.refunded - (payment.fee - feeBack(payment))

async function play(steps: readonly Step[]) {
  const referrer = await world.buildPerson()
  const creator = await world.buildCreator()
  const fan = await world.buildPerson()
  const post = await world.buildPost(creator, { type: 'ppv' })
  await world.query(
    `insert into public.referrals (referrer_id, referred_id, referral_code, status, completed_at) values ($1, $2, 'x', 'completed', now())`,
    [referrer.profileId, creator.profileId],
  )
  const payments: Payment[] = []
  let paidOut = 0

  for (const [index, { what, again }] of steps.entries()) {
    const cause = `x_${creator.username}_${index}`
    const twice = async (act: () => Promise<string>) => {
      const outcome = await act()
      if (again) expect(await act()).toBe(outcome)
      return outcome
    }
    if ('gross' in what) {
      const fee = Math.min(Math.floor((what.gross * what.share) / 100), what.gross - 1)
      const payment = { cause, gross: what.gross, fee }
      const id = await twice(() => pay(what.kind, creator, fan, post.id, payment))
      payments.push({ id, gross: what.gross, fee, refunded: 0, disputes: [] })
    } else if (what.kind === 'payout' && 'cents' in what) {
      await twice(() => books.payOut(creator, what.cents ?? 1, cause))
      paidOut += what.cents ?? 1
    } else if ('nth' in what) {
      const payment = payments[what.nth % Math.max(payments.length, 1)]
      if (!payment) continue
      const left = payment.gross - payment.refunded
      if ('won' in what) {
        const dispute = payment.disputes.find(({ open }) => open)
        if (!dispute) continue
        await twice(() => books.dispute(payment.id, what.won ? 'won' : 'lost', dispute.cents || 1, dispute.id))
        dispute.open = false
        if (what.won) payment.refunded -= dispute.cents
      } else if (what.kind === 'dispute') {
        await twice(() => books.dispute(payment.id, 'open', what.cents ?? 1, cause))
        const cents = Math.min(what.cents ?? 1, left)
        payment.disputes.push({ cents, open: true, id: cause })
        payment.refunded += cents
      } else {
        const cents = what.cents ?? left
        const attempt = twice(() => books.refund(payment.id, what.cents, cause))
        // Of a disputed payment, a refund is booked as far as it goes.
        if (cents < 1 || (cents > left && payment.disputes.length === 0))
          await expect(attempt).rejects.toMatchObject({ code: '22023' })
        else {
          await attempt
          payment.refunded += Math.min(cents, left)
        }
      }
    }
  }
  const earned = payments.reduce((sum, payment) => sum + kept(payment), 0)
  expect(await books.balance(creator)).toBe(earned - paidOut)
  expect(Number(await books.earnings(creator))).toBe(earned)
  const states = await world.query(
    'select id, refunded_amount::int as refunded from public.transactions where id = any($1)',
    [payments.map(({ id }) => id)],
  )
  for (const { id, refunded } of payments) expect(states).toContainEqual({ id, refunded })
}

function pay(
  kind: string,
  creator: Creator,
  fan: Person,
  postId: string,
  payment: { cause: string; gross: number; fee: number },
) {
  if (kind === 'tip') return books.tip(fan, creator, payment)
  if (kind === 'buy') return books.buy(fan, creator, postId, payment)
  return world.pay(fan, creator, payment)
}

it('the ledger is intact after thousands of random payments, refunds, disputes, and payouts [D5, D7, D17]', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
      await play(steps)
    }),
    { numRuns: 200, endOnFailure: true },
  )
  const [counted] = await world.query('select count(*)::int as movements from private.ledger_transactions')
  expect(Number(counted?.movements)).toBeGreaterThan(1500)
  expect(await books.problems()).toEqual([])
})

it('the ledger is intact after concurrent operations, without deadlocks [D5]', { timeout: 240_000 }, async () => {
  const sequences = fc.sample(fc.array(step, { minLength: 20, maxLength: 30, size: 'max' }), { numRuns: 12, seed: 7 })
  await Promise.all(sequences.map(play))
  expect(await books.problems()).toEqual([])
})

it('the checks find manipulated data', async () => {
  const broken = await openDatabaseFixture()
  try {
    const own = openBooks(broken)
    const [creator, fan] = [await broken.buildCreator(), await broken.buildPerson()]
    const tip = await own.tip(fan, creator)
    await own.refund(tip, 100)
    for (const [change, problem] of [
      [
        `update public.transactions set amount = amount + 100 where transaction_type = 'tip'`,
        'differs from the ledger',
      ],
      [
        `update public.transactions set refunded_amount = 200 where transaction_type = 'tip'`,
        "doesn't match its refunds",
      ],
      [`update public.transactions set status = 'completed'`, "has a status that doesn't match its history"],
      ['update private.daily_earnings set net_cents = net_cents + 1', 'has a wrong sum for the day'],
      ['update public.transactions set to_user_id = null', 'has different balances in transactions and in the ledger'],
      [
        `select private.post_ledger('x', 'tip', 'usd', now(), '{"stripe": 1, "platform_fees": -1}')`,
        'is in the ledger but in no transaction',
      ],
    ] as const) {
      await broken.query(
        `do $do$ begin ${change.startsWith('select') ? change.replace('select', 'perform') : change}; end $do$`,
      )
      const found = (await broken.query('select problem from private.verify_money()')).map((row) => row.problem)
      expect(found, change).toContain(problem)
    }
  } finally {
    await broken.close()
  }
})
