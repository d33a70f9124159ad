import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let fan: Person
let post: { id: string }
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson({ meta: { display_name: 'Fay' } })
  post = await world.buildPost(creator, { type: 'ppv' })
})
afterEach(async () => expect(await books.problems()).toEqual([]))

const owns = async () =>
  (await world.as(fan, 'select from public.purchases where post_id = $1', [post.id])).length === 1

describe('a refund', () => {
  it('in full takes back the post, the earnings, and the fee, and notifies both sides [NOTI-15, LOOP-17, D5, D39]', async () => {
    const payment = await books.buy(fan, creator, post.id)
    const refund = await books.refund(payment)
    expect(await owns()).toBe(false)
    expect(await books.transaction(payment)).toMatchObject({ status: 'refunded', refunded_amount: '1000' })
    expect(await books.transaction(refund)).toMatchObject({
      transaction_type: 'refund',
      amount: '-1000',
      fee_amount: '-100',
      net_amount: '-900',
      from_user_id: fan.profileId,
      to_user_id: creator.profileId,
      original_transaction_id: payment,
      reason: 'asked for',
    })
    expect(await books.earnings(creator)).toBe('0')
    const told = `select title, message from public.notifications where title like '% refunded $10.00'`
    expect(await world.as(creator, told)).toEqual([
      { title: 'Fay was refunded $10.00', message: 'Your earnings went down by $9.00.' },
    ])
    expect(await world.as(fan, told)).toEqual([
      { title: 'You were refunded $10.00', message: `It's for your payment to ${creator.username}.` },
    ])
  })

  it('in part keeps the access, and the parts add up to the cent', async () => {
    const payment = await books.buy(fan, creator, post.id, { gross: 999, fee: 100 })
    for (const cents of [333, 1, 332]) await books.refund(payment, cents)
    expect(await owns()).toBe(true)
    expect(await books.transaction(payment)).toMatchObject({ status: 'partially_refunded', refunded_amount: '666' })
    await books.refund(payment, 333)
    expect(await owns()).toBe(false)
    expect(await books.earnings(creator)).toBe('0')
    const [fees] = await world.query(
      `select sum(fee_amount) as sum from public.transactions where $1 in (id, original_transaction_id)`,
      [payment],
    )
    expect(fees?.sum).toBe('0')
  })

  it('is never more than what is left, also when requested concurrently', async () => {
    const payment = await books.buy(fan, creator, post.id)
    const outcomes = await Promise.allSettled([600, 600, 600].map((cents) => books.refund(payment, cents)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const cents of [401, 0, -1])
      await expect(books.refund(payment, cents)).rejects.toMatchObject({ code: '22023' })
    await books.refund(payment)
    await expect(books.refund(payment)).rejects.toMatchObject({ code: '22023' })
    expect(await books.transaction(payment)).toMatchObject({ refunded_amount: '1000' })
  })

  it('is booked once for each cause, also after a won dispute', async () => {
    const payment = await books.buy(fan, creator, post.id)
    const ids = await Promise.all([1, 2, 3, 4].map(() => books.refund(payment, null, 're_same')))
    expect(new Set(ids).size).toBe(1)
    expect(await books.earnings(creator)).toBe('0')
  })

  it('after a payout makes the balance negative', async () => {
    const payment = await books.buy(fan, creator, post.id)
    await books.payOut(creator, 900)
    await books.refund(payment)
    expect(await books.balance(creator)).toBe(-900)
  })

  it('of a deleted creator is booked against their remaining balance', async () => {
    const payment = await books.tip(fan, creator)
    await world.query('delete from auth.users where id = $1', [creator.userId])
    await books.refund(payment)
    expect(await books.balance(creator)).toBe(0)
    expect(
      await world.as(fan, `select message from public.notifications where title = 'You were refunded $10.00'`),
    ).toEqual([{ message: "It's for your payment to a former creator." }])
  })

  it('is only possible for existing payments', async () => {
    await expect(books.refund('00000000-0000-0000-0000-000000000000')).rejects.toMatchObject({ code: 'PT404' })
    const payment = await books.tip(fan, creator)
    const refund = await books.refund(payment)
    await expect(books.refund(refund)).rejects.toMatchObject({ code: '22023' })
    const payout = await books.payOut(creator, 100)
    await expect(books.refund(payout)).rejects.toMatchObject({ code: '22023' })
  })
})

describe('a refund of a subscription', () => {
  const status = async () =>
    (
      await world.as(fan, 'select status, has_access from public.get_subscription_status($1, $2)', [
        fan.profileId,
        creator.profileId,
      ])
    )[0]

  it('ends it immediately, and its billing at Stripe [SUB-17, SUB-18]', async () => {
    await world.subscribe(fan, creator, { stripeId: `sub_${fan.username}` })
    const payment = await world.pay(fan, creator)
    await books.refund(payment)
    expect(await status()).toEqual({ status: 'canceled', has_access: false })
    expect(
      await world.query('select kind from private.payment_tasks where target = $1', [`sub_${fan.username}`]),
    ).toEqual([{ kind: 'cancel_subscription' }])
  })

  it('of an earlier month, or in part, keeps the access', async () => {
    await world.subscribe(fan, creator)
    const first = await world.pay(fan, creator, { at: '2026-01-01T00:00:00Z' })
    const second = await world.pay(fan, creator)
    await books.refund(first)
    await books.refund(second, 500)
    expect(await status()).toEqual({ status: 'active', has_access: true })
  })
})

describe('a refund of a paid message', () => {
  it('locks it again, and a won dispute unlocks it [MSG-08, MSG-09]', async () => {
    const [message] = await world.as(
      creator,
      `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'hush hush', true, 1000) returning id`,
      [creator.profileId, fan.profileId],
    )
    const content = async () =>
      (await world.as(fan, 'select content from public.messages where id = $1', [message?.id]))[0]?.content
    const [row] = await world.as(
      'service_role',
      `select private.post_message_unlock($1, $2, $3, $4, 1000, 100, 'usd', now()) as id`,
      [`pi_${fan.username}`, fan.profileId, creator.profileId, message?.id],
    )
    expect(await content()).toBe('hush hush')
    await books.dispute(String(row?.id), 'open')
    expect(await content()).toBeNull()
    await books.dispute(String(row?.id), 'won')
    expect(await content()).toBe('hush hush')
    await books.refund(String(row?.id))
    expect(await content()).toBeNull()
  })
})

describe('a dispute', () => {
  it('takes back the money and the access, and returns both when it is won [D5]', async () => {
    const payment = await books.buy(fan, creator, post.id)
    await books.dispute(payment, 'open')
    expect(await books.transaction(payment)).toMatchObject({ status: 'disputed', refunded_amount: '1000' })
    expect(await owns()).toBe(false)
    expect(await books.earnings(creator)).toBe('0')
    await books.dispute(payment, 'won')
    expect(await books.transaction(payment)).toMatchObject({ status: 'completed', refunded_amount: '0' })
    expect(await owns()).toBe(true)
    expect(await books.earnings(creator)).toBe('900')
  })

  it('changes nothing when it is lost', async () => {
    const payment = await books.buy(fan, creator, post.id)
    await books.dispute(payment, 'open')
    await books.dispute(payment, 'lost')
    expect(await books.transaction(payment)).toMatchObject({ status: 'refunded' })
    expect(await owns()).toBe(false)
    await expect(books.refund(payment)).rejects.toMatchObject({ code: '22023' })
  })

  it.each([
    ['won', 'completed', '900', ['won', 'open', 'won', 'lost']],
    ['lost', 'refunded', '0', ['lost', 'open', 'lost']],
    ['won', 'completed', '900', ['lost', 'open', 'won', 'lost']], // on appeal
  ] as const)('told late, twice and out of order is %s all the same', async (outcome, status, earned, words) => {
    const payment = await books.buy(fan, creator, post.id)
    for (const word of words) await books.dispute(payment, word)
    await Promise.all([books.dispute(payment, 'open'), books.dispute(payment, outcome)])
    expect(await books.transaction(payment)).toMatchObject({ status })
    expect(await books.earnings(creator)).toBe(earned)
  })

  it('after a partial refund takes what is left, and records a difference for the rest', async () => {
    const payment = await books.buy(fan, creator, post.id)
    await books.refund(payment, 400)
    await books.dispute(payment, 'open')
    expect(await books.transaction(payment)).toMatchObject({ refunded_amount: '1000' })
    expect(
      await world.query('select kind, expected_cents::int from private.payment_differences where cause = $1', [
        `dp_${payment}`,
      ]),
    ).toEqual([{ kind: 'dispute', expected_cents: 600 }])
    await books.dispute(payment, 'won')
    expect(await books.transaction(payment)).toMatchObject({ status: 'partially_refunded', refunded_amount: '400' })
  })

  it('with an unknown status or no amount is rejected', async () => {
    const payment = await books.buy(fan, creator, post.id)
    await expect(books.dispute(payment, 'open', 0)).rejects.toMatchObject({ code: '22023' })
    await expect(books.dispute(payment, 'lost?' as 'lost')).rejects.toMatchObject({ code: '22023' })
    await books.dispute(payment, 'open', 1000, 'dp_mine')
    const other = await books.tip(fan, creator)
    await expect(books.dispute(other, 'open', 1000, 'dp_mine')).rejects.toMatchObject({ code: '22023' })
  })
})
