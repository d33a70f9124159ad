import { tipMaxCents, tipMinCents } from '@ovation/contract/limits'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
afterEach(async () => expect(await books.problems()).toEqual([]))

const bells = (person: Person) => world.as(person, 'select type, title, message from public.notifications')
const isLocked = async (person: Person, post: string) =>
  (await world.as(person, 'select is_locked from public.posts where id = $1', [post]))[0]?.is_locked

describe('a purchase', () => {
  let creator: Creator
  let fan: Person
  let post: { id: string; path: string }
  beforeAll(async () => {
    creator = await world.buildCreator()
    fan = await world.buildPerson({ meta: { display_name: 'Fay' } })
    post = await world.buildPost(creator, { type: 'ppv', price: 1000 })
  })

  it('unlocks the post, is booked, and notifies the creator, once for each cause [POST-44, POST-45, NOTI-15, LOOP-17, D5]', async () => {
    expect(await isLocked(fan, post.id)).toBe(true)
    const ids = await Promise.all([1, 2, 3, 4].map(() => books.buy(fan, creator, post.id, { cause: 'pi_once' })))
    expect(new Set(ids).size).toBe(1)
    expect(await isLocked(fan, post.id)).toBe(false)
    expect(await books.transaction(ids[0] ?? '')).toMatchObject({
      transaction_type: 'ppv',
      post_id: post.id,
      amount: '1000',
      net_amount: '900',
    })
    expect(await bells(creator)).toEqual([
      { type: 'payment', title: 'Fay bought your post', message: 'You earned $9.00 from "A title".' },
    ])
    expect(await books.earnings(creator)).toBe('900')
  })

  it('of a post that was already bought is booked and refunded, and the post stays unlocked', async () => {
    const second = await books.buy(fan, creator, post.id)
    expect(await books.tasks(second)).toEqual([{ kind: 'refund', done_at: null }])
    await books.refund(second)
    expect(await isLocked(fan, post.id)).toBe(false)
  })

  it('of a post that was deleted is booked and refunded', async () => {
    const gone = await world.buildPost(creator, { type: 'ppv' })
    await world.as(creator, 'delete from public.posts where id = $1', [gone.id])
    const id = await books.buy(fan, creator, gone.id)
    expect(await books.transaction(id)).toMatchObject({ post_id: null, amount: '1000' })
    expect(await books.tasks(id)).toHaveLength(1)
  })

  it('by an account that was deleted while the card was charged is booked', async () => {
    const leaver = await world.buildPerson()
    const other = await world.buildPost(creator, { type: 'ppv' })
    await world.query('delete from auth.users where id = $1', [leaver.userId])
    const id = await books.buy(leaver, creator, other.id)
    expect(await books.transaction(id)).toMatchObject({ from_user_id: null, to_user_id: creator.profileId })
    expect(await books.tasks(id)).toHaveLength(1)
  })

  it('is quoted at the price of the post, and rejected when there is nothing to buy [POST-45]', async () => {
    const quote = (buyer: Person, id: string) =>
      world.as('service_role', 'select * from private.quote_purchase($1, $2)', [buyer.profileId, id])
    const buyer = await world.buildPerson()
    expect(await quote(buyer, post.id)).toMatchObject([
      { creator_id: creator.profileId, amount_cents: 1000, title: `"A title" by ${creator.username}` },
    ])
    const untitled = await world.buildPost(creator, { type: 'ppv' })
    await world.as(creator, 'update public.posts set title = null where id = $1', [untitled.id])
    expect(await quote(buyer, untitled.id)).toMatchObject([{ title: `Post by ${creator.username}` }])
    await expect(quote(fan, post.id)).rejects.toMatchObject({
      code: 'PT409',
      message: "You've already bought this post",
    })
    await expect(quote(creator, post.id)).rejects.toMatchObject({ code: 'PT409', message: "You can't pay yourself" })
    const free = await world.buildPost(creator)
    await expect(quote(buyer, free.id)).rejects.toMatchObject({ code: 'PT404' })
    await world.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      buyer.profileId,
    ])
    await expect(quote(buyer, post.id)).rejects.toMatchObject({ code: 'PT403' })
  })
})

describe('a tip', () => {
  let creator: Creator
  let fan: Person
  beforeAll(async () => {
    creator = await world.buildCreator()
    fan = await world.buildPerson({ meta: { display_name: 'Tim' } })
  })

  it('is booked and notifies the creator, once for each cause [PROF-21, NOTI-13, NOTI-15, D28]', async () => {
    const first = await books.tip(fan, creator, { gross: 500, cause: 'pi_tip' })
    expect(await books.tip(fan, creator, { gross: 500, cause: 'pi_tip' })).toBe(first)
    expect(await bells(creator)).toEqual([{ type: 'tip', title: 'Tim tipped you $5.00', message: 'You earned $4.50.' }])
    const recent = await world.as(
      creator,
      `select amount from public.transactions where transaction_type = 'tip' and status = 'completed' order by created_at desc limit 3`,
    )
    expect(recent).toEqual([{ amount: '500' }])
  })

  it("brings the fan's note with the notification [PROF-21]", async () => {
    const payee = await world.buildCreator()
    await books.tip(fan, payee, { gross: 500 }, undefined, "It's 100 % “yours”")
    await books.tip(fan, payee, { gross: 700 }, undefined, '')
    expect((await bells(payee)).map(({ message }) => message).toSorted()).toEqual([
      "You earned $4.50. “It's 100 % “yours””",
      'You earned $6.30.',
    ])
  })

  it.each([tipMinCents - 1, tipMaxCents + 1])(
    'of %i cents is rejected before and after the charge, and leaves no trace [D28]',
    async (gross) => {
      const refusal = { code: '23514', message: 'Tips must be between $1.00 and $500.00' }
      await expect(books.tip(fan, creator, { gross })).rejects.toMatchObject(refusal)
      await expect(
        world.as('service_role', 'select private.quote_tip($1, $2, $3)', [fan.profileId, creator.profileId, gross]),
      ).rejects.toMatchObject(refusal)
    },
  )

  it.each([tipMinCents, tipMaxCents])('of %i cents is accepted [D28]', async (gross) => {
    await books.tip(fan, creator, { gross })
    const [quote] = await world.as('service_role', 'select * from private.quote_tip($1, $2, $3)', [
      fan.profileId,
      creator.profileId,
      gross,
    ])
    expect(quote).toMatchObject({ amount_cents: gross })
  })

  it("is rejected for a creator who can't take payments", async () => {
    const quote = (to: Person) =>
      world.as('service_role', 'select private.quote_tip($1, $2, 500)', [fan.profileId, to.profileId])
    await expect(quote(await world.buildPerson())).rejects.toMatchObject({
      code: 'PT409',
      message: "This creator can't take payments right now",
    })
    await expect(quote({ ...fan, profileId: '00000000-0000-0000-0000-000000000000' })).rejects.toMatchObject({
      code: 'PT404',
    })
  })
})

describe('a payout', () => {
  /** Somebody with $18.00 to be paid out. */
  async function buildEarner(): Promise<Creator> {
    const earner = await world.buildCreator()
    await books.tip(await world.buildPerson(), earner, { gross: 2000 })
    return earner
  }

  it('lowers the balance, not the earnings, once for each cause [D39]', async () => {
    const creator = await buildEarner()
    const ids = await Promise.all([1, 2, 3].map(() => books.payOut(creator, 1500, 'po_once')))
    expect(new Set(ids).size).toBe(1)
    expect(await books.balance(creator)).toBe(300)
    expect(await books.earnings(creator)).toBe('1800')
    expect(await bells(creator)).toContainEqual({
      type: 'payment',
      title: 'Payout sent',
      message: '$15.00 is on its way to your bank.',
    })
  })

  it('that the bank returns restores the balance, once', async () => {
    const creator = await buildEarner()
    const payout = await books.payOut(creator, 1800)
    expect(await books.balance(creator)).toBe(0)
    const back = await books.returnPayout(payout)
    expect(await books.returnPayout(payout)).toBe(back)
    expect(await books.balance(creator)).toBe(1800)
    expect(await books.transaction(payout)).toMatchObject({ status: 'refunded' })
  })

  it('of more than the balance is booked and recorded as a difference', async () => {
    const creator = await buildEarner()
    await books.payOut(creator, 2500, 'po_more')
    expect(await books.balance(creator)).toBe(-700)
    expect(
      await world.query(`select kind, expected_cents::int from private.payment_differences where cause = 'po_more'`),
    ).toEqual([{ kind: 'payout', expected_cents: 1800 }])
  })

  it.each([
    ['10 s', 10_000],
    ['less than a second', 0],
  ])('is no difference if a refund %s later was booked first', async (_, passed) => {
    const creator = await world.buildCreator()
    const noon = Date.parse('2026-10-01T12:00:00Z')
    const at = (ms: number) => new Date(noon + ms).toISOString()
    const sale = await books.tip(await world.buildPerson(), creator, { gross: 1000, at: at(-60_000) })
    await books.refund(sale, null, undefined, at(passed))
    await books.payOut(creator, 900, `po_before_${passed}`, at(0))
    // And the bank's account is debited for the refund, which a later payment makes up for.
    await books.tip(await world.buildPerson(), creator, { gross: 1000, at: at(20_000 + passed) })
    await books.payOut(creator, -900, `po_debit_${passed}`, at(20_000))
    const causes = [`po_before_${passed}`, `po_debit_${passed}`]
    expect(await world.query('select * from private.payment_differences where cause = any($1)', [causes])).toEqual([])
  })
})

it("a client can't book a payment of any kind [GEN-35, D24]", async () => {
  const people = [await world.buildPerson(), await world.buildCreator(), await world.buildAdmin()]
  for (const caller of [...people, 'anon'] as const) {
    for (const call of [
      `private.post_purchase('x', null, null, null, 1000, 100, 'usd', now())`,
      `private.post_tip('x', null, null, 1000, 100, 'usd', now())`,
      `private.post_session_payment('x', null, null, null, 1000, 100, 'usd', now())`,
      `private.post_refund('x', null, null, now())`,
      `private.post_dispute('x', null, 1000, 'won', now())`,
      `private.post_payout('x', null, 1000, 'usd', now())`,
      `private.credit_rewards(null)`,
    ]) {
      await expect(world.as(caller, `select ${call}`)).rejects.toMatchObject(refused)
    }
  }
})
