import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let admin: Person
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
  admin = await world.buildAdmin()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})

const listed = async (id: string) =>
  (
    await world.as(
      admin,
      'select target, target_at, is_repeated, refund_effect from public.get_payments($1) where id = $2',
      [fan.username, id],
    )
  )[0]
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

describe('a payment in the list', () => {
  it('for a post names the post, and of two only the one that opened it takes the access away [LOOP-24, D40]', async () => {
    const post = await world.buildPost(creator, { type: 'ppv' })
    const owns = async () =>
      (await world.as(fan, 'select from public.purchases where post_id = $1', [post.id])).length === 1
    const first = await books.buy(fan, creator, post.id)
    expect(await listed(first)).toEqual({
      target: '"A title"',
      target_at: null,
      is_repeated: false,
      refund_effect: 'ends',
    })
    const other = await world.buildPost(creator, { type: 'ppv' })
    await books.buy(fan, creator, other.id)
    await books.buy(await world.buildPerson(), creator, post.id)
    expect(await listed(first)).toMatchObject({ is_repeated: false })
    const second = await books.buy(fan, creator, post.id)
    expect(await listed(first)).toMatchObject({ is_repeated: true, refund_effect: 'ends' })
    expect(await listed(second)).toMatchObject({ target: '"A title"', is_repeated: true, refund_effect: 'covered' })
    const refund = await books.refund(second)
    expect(await owns()).toBe(true)
    expect(await listed(second)).toMatchObject({ is_repeated: false, refund_effect: null })
    expect(await listed(refund)).toMatchObject({ target: '"A title"', is_repeated: false, refund_effect: null })
    expect(await listed(first)).toMatchObject({ is_repeated: false, refund_effect: 'ends' })
    await books.refund(first)
    expect(await owns()).toBe(false)
  })

  it('that opened the post takes the access away although another payment remains [D40]', async () => {
    const post = await world.buildPost(creator, { type: 'ppv' })
    const first = await books.buy(fan, creator, post.id)
    const second = await books.buy(fan, creator, post.id)
    await books.refund(first)
    expect(await world.as(fan, 'select from public.purchases where post_id = $1', [post.id])).toEqual([])
    expect(await listed(second)).toMatchObject({ refund_effect: 'none' })
  })

  it('for a subscription names the plan, and only the latest one ends it [LOOP-24, D40]', async () => {
    await world.query(`update public.subscription_products set name = 'Gold' where id = $1`, [creator.productId])
    await world.subscribe(fan, creator)
    const earlier = await world.pay(fan, creator, { at: hoursAgo(40 * 24) })
    const latest = await world.pay(fan, creator)
    expect(await listed(earlier)).toEqual({
      target: 'Gold',
      target_at: null,
      is_repeated: false,
      refund_effect: 'covered',
    })
    expect(await listed(latest)).toMatchObject({ is_repeated: false, refund_effect: 'ends' })
    const again = await world.pay(fan, creator)
    for (const id of [latest, again]) expect(await listed(id)).toMatchObject({ is_repeated: true })
    await books.refund(again)
    expect(
      await world.as(fan, 'select has_access from public.get_subscription_status($1, $2)', [
        fan.profileId,
        creator.profileId,
      ]),
    ).toEqual([{ has_access: false }])
    expect(await listed(latest)).toMatchObject({ is_repeated: false, refund_effect: 'none' })
  })

  it('for a duplicate subscription leaves the other one running [LOOP-24, D40]', async () => {
    await world.subscribe(fan, creator)
    const first = await world.pay(fan, creator)
    await world.subscribe(fan, creator)
    expect(await listed(first)).toMatchObject({ refund_effect: 'covered' })
    await books.refund(first)
    expect(
      await world.as(fan, 'select has_access from public.get_subscription_status($1, $2) where has_access', [
        fan.profileId,
        creator.profileId,
      ]),
    ).toHaveLength(1)
  })

  it('for a message says when it was sent, not what it says [LOOP-24, MSG-09]', async () => {
    const [message] = await world.as(
      creator,
      `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'hush hush', true, 1000)
       returning id, created_at`,
      [creator.profileId, fan.profileId],
    )
    const unlock = async () => {
      const [row] = await world.as(
        'service_role',
        `select private.post_message_unlock($1, $2, $3, $4, 1000, 100, 'usd', now()) as id`,
        [`pi_${randomUUID()}`, fan.profileId, creator.profileId, message?.id],
      )
      return String(row?.id)
    }
    const first = await unlock()
    expect(await listed(first)).toEqual({
      target: null,
      target_at: message?.created_at,
      is_repeated: false,
      refund_effect: 'ends',
    })
    const second = await unlock()
    expect(await listed(first)).toMatchObject({ is_repeated: true, refund_effect: 'ends' })
    expect(await listed(second)).toMatchObject({ is_repeated: true, refund_effect: 'covered' })
  })

  it('for a tip names the post, takes nothing away, and repeats within the hour [LOOP-24, D40]', async () => {
    const post = await world.buildPost(creator)
    const onPost = await books.tip(fan, creator, {}, post.id)
    const first = await books.tip(fan, creator, { at: hoursAgo(5) })
    const second = await books.tip(fan, creator)
    expect(await listed(onPost)).toEqual({
      target: '"A title"',
      target_at: null,
      is_repeated: false,
      refund_effect: 'none',
    })
    expect(await listed(second)).toMatchObject({ target: null, is_repeated: false, refund_effect: 'none' })
    const third = await books.tip(fan, creator)
    for (const id of [second, third]) expect(await listed(id)).toMatchObject({ is_repeated: true })
    expect(await listed(first)).toMatchObject({ is_repeated: false })
  })

  it('for a session names its title and start, and its refund cancels only what is upcoming [LOOP-24, D40]', async () => {
    const [offer] = await world.as(
      creator,
      `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ($1, 'A talk', 60, 5000) returning id`,
      [creator.profileId],
    )
    const book = async (from: string) => {
      const [slot] = await world.as(
        creator,
        'insert into public.session_slots (offer_id, starts_at) values ($1, now() + $2::interval) returning id, starts_at',
        [offer?.id, from],
      )
      const [booking] = await world.as(fan, 'select id from public.book_session($1)', [slot?.id])
      const id = String(booking?.id)
      return { id, startsAt: slot?.starts_at, payment: await books.paySession(fan, creator, id, { gross: 5000 }) }
    }
    const booked = await book('3 days')
    const later = await book('5 days')
    expect(await listed(booked.payment)).toEqual({
      target: 'A talk',
      target_at: booked.startsAt,
      is_repeated: false,
      refund_effect: 'ends',
    })
    const again = await books.paySession(fan, creator, booked.id, { gross: 5000 })
    expect(await listed(again)).toEqual({ target: null, target_at: null, is_repeated: true, refund_effect: 'none' })
    expect(await listed(booked.payment)).toMatchObject({ is_repeated: true })
    await world.as(fan, 'select from public.cancel_booking($1)', [later.id])
    expect(await listed(later.payment)).toMatchObject({ refund_effect: 'none' })
  })

  it('is found by the id of the user, alone [LOOP-24, ADM-05]', async () => {
    const other = await world.buildPerson({ meta: { display_name: fan.userId } })
    await books.tip(other, creator)
    const tip = await books.tip(fan, creator)
    const found = await world.as(admin, 'select id from public.get_payments($1)', [fan.userId.toUpperCase()])
    expect(found).toEqual([{ id: tip }])
    expect(await world.as(admin, 'select id from public.get_payments($1)', [randomUUID()])).toEqual([])
  })
})
