import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

const earnings = async (person: Person) =>
  (await world.query('select total_earnings from private.profiles where id = $1', [person.profileId]))[0]
    ?.total_earnings

it('holds subscriptions, tips, paid posts and messages, private sessions, refunds, and referral rewards [DATA-22]', async () => {
  const seller = await world.buildCreator()
  const paid = ['paid_message', 'ppv', 'private_session', 'subscription', 'tip']
  for (const type of paid) {
    const [payment] = await world.query(
      `select transaction_id as id from private.post_payment($1, $1 || '_held', $2, $3, 1000, 100, 'usd', now())`,
      [type, fan.profileId, seller.profileId],
    )
    if (type === 'tip') await openBooks(world).refund(String(payment?.id))
  }
  await world.query(
    `insert into public.referrals (referrer_id, referral_code, status, completed_at)
     select $1, 'REFTEN' || n, 'completed', now() from generate_series(1, 10) n`,
    [seller.profileId],
  )
  await world.as('service_role', 'select private.credit_rewards($1)', [seller.profileId])
  const held = await world.as(seller, 'select transaction_type from public.transactions order by 1')
  expect(held.map((row) => row.transaction_type)).toEqual([...paid, 'referral_reward', 'refund'].toSorted())
  expect(await openBooks(world).problems()).toEqual([])
})

describe('a subscription payment', () => {
  it('books gross, fee, and net, adds to the earnings, and notifies the creator [GEN-06, NOTI-15, D5]', async () => {
    const [seller, payer] = [await world.buildCreator(), await world.buildPerson({ meta: { display_name: 'Fay' } })]
    const id = await world.pay(payer, seller, { gross: 999, fee: 100 })
    const [row] = await world.as(seller, 'select * from public.transactions')
    expect(row).toMatchObject({
      id,
      from_user_id: payer.profileId,
      to_user_id: seller.profileId,
      transaction_type: 'subscription',
      status: 'completed',
      amount: '999',
      fee_amount: '100',
      net_amount: '899',
    })
    expect(await earnings(seller)).toBe('899')
    expect(await world.as(seller, 'select type, title, message from public.notifications')).toEqual([
      { type: 'subscription', title: 'Fay subscribed to Plan', message: 'You earned $8.99.' },
    ])
    const entries = await world.query(
      `select a.code, e.amount_cents::int from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id
       join public.transactions t on t.ledger_transaction_id = e.transaction_id where t.id = $1 order by 2`,
      [id],
    )
    expect(entries).toEqual([
      { code: `creator:${seller.profileId}`, amount_cents: -899 },
      { code: 'platform_fees', amount_cents: -100 },
      { code: 'stripe', amount_cents: 999 },
    ])
  })

  it('is booked once for each cause, also by several workers at the same time [D5]', async () => {
    const seller = await world.buildCreator()
    const ids = await Promise.all(Array.from({ length: 8 }, () => world.pay(fan, seller, { cause: 'in_same' })))
    expect(new Set(ids).size).toBe(1)
    expect(await earnings(seller)).toBe('899')
    expect(await world.as(seller, 'select from public.notifications')).toHaveLength(1)
  })

  it('of a later month notifies of a payment, not of a new subscriber [NOTI-13]', async () => {
    const seller = await world.buildCreator()
    await world.pay(fan, seller)
    await world.pay(fan, seller)
    const types = await world.as(seller, 'select type from public.notifications order by type')
    expect(types).toEqual([{ type: 'payment' }, { type: 'subscription' }])
    expect(await earnings(seller)).toBe('1798')
  })

  it.each([
    [0, 0],
    [-100, 0],
    [100, 100],
    [100, -1],
  ])('of %i cents with a fee of %i is rejected and leaves no trace', async (gross, fee) => {
    await expect(world.pay(fan, creator, { gross, fee, cause: `in_bad_${gross}_${fee}` })).rejects.toMatchObject({
      code: '22023',
    })
    expect(
      await world.query('select from private.ledger_transactions where cause = $1', [`in_bad_${gross}_${fee}`]),
    ).toEqual([])
  })

  it("can't be booked by a client [GEN-35]", async () => {
    for (const caller of [creator, fan, await world.buildAdmin()]) {
      await expect(
        world.as(caller, `select private.post_subscription_payment('in_x', null, null, null, 1, 0, 'usd', now())`),
      ).rejects.toMatchObject(refused)
      await expect(
        world.as(
          caller,
          `insert into public.transactions (to_user_id, transaction_type, amount) values ($1, 'tip', 500)`,
          [creator.profileId],
        ),
      ).rejects.toMatchObject(refused)
    }
  })

  it('is visible only to the payer, the receiver, and admins [API-REST-28]', async () => {
    const id = await world.pay(fan, creator)
    const read = 'select id from public.transactions where id = $1'
    for (const caller of [fan, creator, await world.buildAdmin()])
      expect(await world.as(caller, read, [id])).toHaveLength(1)
    expect(await world.as(await world.buildPerson(), read, [id])).toEqual([])
    await expect(world.as('anon', read, [id])).rejects.toMatchObject(refused)
  })
})

describe('the ledger', () => {
  it('rejects update, delete, and truncate, even by the database owner', async () => {
    await world.pay(fan, creator)
    for (const table of ['private.ledger_accounts', 'private.ledger_transactions', 'private.ledger_entries']) {
      for (const statement of [
        `update ${table} set created_at = now()`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        await expect(world.query(statement)).rejects.toMatchObject({ ...refused, message: `${table} is append-only` })
        await expect(world.as('service_role', statement)).rejects.toMatchObject(refused)
      }
    }
  })

  it('maintains a balance for each account, which no role can write', async () => {
    const seller = await world.buildCreator()
    await world.pay(fan, seller, { gross: 999, fee: 100 })
    await world.pay(fan, seller, { gross: 500, fee: 50 })
    const kept = await world.query(
      `select b.balance_cents::int as cents from private.ledger_balances b join private.ledger_accounts a on a.id = b.account_id
       where a.code = $1`,
      [`creator:${seller.profileId}`],
    )
    expect(kept).toEqual([{ cents: -1349 }])
    for (const statement of [
      'update private.ledger_balances set balance_cents = 0',
      'delete from private.ledger_balances',
    ])
      await expect(world.as('service_role', statement)).rejects.toMatchObject(refused)
  })

  it('rejects an entry that unbalances an earlier movement', async () => {
    const id = await world.pay(fan, creator)
    const attempt = world.as(
      'service_role',
      `insert into private.ledger_entries (transaction_id, account_id, amount_cents, seq, previous_hash, hash)
       select t.ledger_transaction_id, private.ledger_account('creator:' || gen_random_uuid()), -500, 1, sha256(''), sha256('')
       from public.transactions t where t.id = $1`,
      [id],
    )
    await expect(attempt).rejects.toMatchObject({ code: '23514' })
  })

  it("rejects a movement that doesn't sum to zero at commit", async () => {
    const post = (entries: object) =>
      world.as('service_role', `select private.post_ledger('bad', 'tip', 'usd', now(), $1)`, [entries])
    await expect(post({ stripe: 100, platform_fees: -99 })).rejects.toMatchObject({ code: '23514' })
    await expect(post({ stripe: 100 })).rejects.toMatchObject({ code: '23514' })
    await expect(post({})).rejects.toMatchObject({ code: '23514' })
    expect(await world.query(`select from private.ledger_transactions where cause = 'bad'`)).toEqual([])
  })

  it('chains entries so that a statement can be recomputed with SHA-256 alone', async () => {
    const seller = await world.buildCreator()
    await world.pay(fan, seller, { cause: 'in_chain_1', at: '2026-03-01T10:00:00.123456Z' })
    await world.pay(fan, seller, { cause: 'in_chain_2', gross: 2000, fee: 200, at: '2026-04-01T10:00:00Z' })
    const code = `creator:${seller.profileId}`
    const rows = await world.query(
      `select encode(e.hash, 'hex') as hash from private.ledger_entries e join private.ledger_accounts a on a.id = e.account_id where a.code = $1 order by e.seq`,
      [code],
    )
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const first = sha256(`v1|1|${code}|in_chain_1|subscription|-899|usd|2026-03-01T10:00:00.123456Z|${'0'.repeat(64)}`)
    const second = sha256(`v1|2|${code}|in_chain_2|subscription|-1800|usd|2026-04-01T10:00:00.000000Z|${first}`)
    expect(rows).toEqual([{ hash: first }, { hash: second }])
  })

  it('keeps its chains intact with concurrent payments', async () => {
    const sellers = await Promise.all([1, 2, 3].map(() => world.buildCreator()))
    await Promise.all(Array.from({ length: 30 }, (_, i) => world.pay(fan, sellers[i % 3] ?? creator)))
    expect(await world.query('select * from private.verify_ledger()')).toEqual([])
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
  })

  it.each([
    ['an amount', 'ledger_entries', 'amount_cents = amount_cents * 2', 'was changed after it was written'],
    [
      'a time',
      'ledger_transactions',
      `occurred_at = occurred_at + interval '1 second'`,
      'was changed after it was written',
    ],
    ['a hash', 'ledger_entries', `hash = sha256('forged')`, 'was changed after it was written'],
    [
      'a balance',
      'ledger_balances',
      'balance_cents = balance_cents + 1',
      'has a balance that differs from the sum of its entries',
    ],
  ])('reveals a forged %s', async (_what, table, change, problem) => {
    const cheated = await openDatabaseFixture()
    try {
      await cheated.pay(await cheated.buildPerson(), await cheated.buildCreator())
      await cheated.query(`alter table private.${table} disable trigger user`)
      await cheated.query(`update private.${table} set ${change}`)
      const problems = (await cheated.query('select problem from private.verify_ledger()')).map((row) => row.problem)
      expect(problems).toContain(problem)
    } finally {
      await cheated.close()
    }
  })

  it('survives the deletion of an account', async () => {
    const [seller, payer] = [await world.buildCreator(), await world.buildPerson()]
    const id = await world.pay(payer, seller)
    await world.subscribe(payer, seller)
    await world.query('delete from auth.users where id = any($1)', [[seller.userId, payer.userId]])
    expect(
      await world.query('select from_user_id, to_user_id, amount from public.transactions where id = $1', [id]),
    ).toEqual([{ from_user_id: null, to_user_id: null, amount: '999' }])
    expect(await world.query('select * from private.verify_ledger()')).toEqual([])
  })
})
