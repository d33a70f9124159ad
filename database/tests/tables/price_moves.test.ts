import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
})
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
  await report(1, 999)
})
afterAll(() => world.close())

/** What Stripe says of the fan's subscription. */
const report = (count: number, cents: number, { status = 'active', ends = false, plan = creator.productId } = {}) =>
  world.as(
    'service_role',
    `select private.apply_subscription_state($1, $2, $3, $4, $5, now(), now() + interval '30 days', null, $6, null, now(), $7, $8) as id`,
    [`sub_${fan.profileId}`, fan.profileId, creator.profileId, plan, status, ends, cents, count],
  )
const setPrice = (cents: number, terms: readonly { months: number; cents: number }[] = []) =>
  world.as('service_role', 'select private.set_plan_prices($1, $2)', [
    creator.productId,
    JSON.stringify(
      [{ months: 1, cents }, ...terms].map((price) => ({
        interval_count: price.months,
        percent_off: 0,
        price_cents: price.cents,
        stripe_price_id: `price_${creator.productId}_${price.months}_${price.cents}`,
      })),
    ),
  ])
const move = async (caller: Person = creator) =>
  (await world.as(caller, 'select public.move_subscribers($1) as moved', [creator.productId]))[0]?.moved
const moves = () =>
  world.as(
    fan,
    `select from_cents, to_cents, moves_at > now() + interval '30 days' as has_notice, done_at is not null as done from public.price_moves order by created_at`,
  )
const price = async () => (await world.as(fan, 'select price_cents from public.subscriptions'))[0]?.price_cents
/** The fan's notice was given so many days ago. */
async function age(days: number, { isSent = true } = {}) {
  await world.query('alter table public.price_moves disable trigger price_moves_guard')
  await world.query(
    `update public.price_moves set notified_at = notified_at - make_interval(days => $2), moves_at = moves_at - make_interval(days => $2)
     where subscriber_id = $1`,
    [fan.profileId, days],
  )
  await world.query('alter table public.price_moves enable trigger price_moves_guard')
  if (isSent)
    await world.query(
      `update private.payment_emails set sent_at = coalesce(sent_at, now()) - make_interval(days => $2) where profile_id = $1 and kind = 'price_change'`,
      [fan.profileId, days],
    )
}
const requests = async () =>
  (
    await world.query(
      `select target from private.payment_tasks where kind = 'set_price' and target = $1 and done_at is null`,
      [`sub_${fan.profileId}`],
    )
  ).length

describe('the price lock', () => {
  it('leaves subscribers their price when the plan gets another one [OFFER-08]', async () => {
    await setPrice(1_500)
    expect(await price()).toBe(999)
    await report(1, 999)
    expect(await price()).toBe(999)
  })

  it('lets nobody pay more without notice, by any role [OFFER-08]', async () => {
    await setPrice(1_500)
    const raise = 'update public.subscriptions set price_cents = 1500 where subscriber_id = $1'
    await expect(world.as('service_role', raise, [fan.profileId])).rejects.toMatchObject(refused)
    await expect(world.query(raise, [fan.profileId])).rejects.toMatchObject(refused)
    // Stripe has it nevertheless: the subscriber's price stays, and Stripe gets it back.
    await report(1, 1_500)
    expect(await price()).toBe(999)
    expect(await requests()).toBe(1)
    expect(
      await world.query('select private.price_to_charge($1, $2) as price', [
        `sub_${fan.profileId}`,
        `price_${creator.productId}_1_1500`,
      ]),
    ).toEqual([{ price: null }])
    await setPrice(999)
    await setPrice(1_500)
    expect(
      await world.query('select private.price_to_charge($1, $2) as price', [
        `sub_${fan.profileId}`,
        `price_${creator.productId}_1_1500`,
      ]),
    ).toEqual([{ price: `price_${creator.productId}_1_999` }])
  })

  it('rises 30 days after the notice in the app and by email, not earlier [OFFER-08]', async () => {
    await setPrice(1_500)
    expect(await move()).toBe(1)
    expect(await moves()).toEqual([{ from_cents: 999, to_cents: 1_500, has_notice: true, done: false }])
    const [notice] = await world.as(
      fan,
      'select title, message from public.notifications order by created_at desc limit 1',
    )
    expect(notice).toMatchObject({
      title: 'Your price for Plan will change',
      message: expect.stringMatching(/from \$9\.99 to \$15\.00 per month, from your first renewal after .* \d{4} on\./),
    })
    await report(1, 1_500)
    expect(await price()).toBe(999)
    await age(29)
    await report(1, 1_500)
    expect(await price()).toBe(999)
    await age(3)
    await report(1, 1_500)
    expect(await price()).toBe(1_500)
    expect(await moves()).toMatchObject([{ done: true }])
  })

  it.each([
    ['was never sent', 'update private.payment_emails set sent_at = null where profile_id = $1'],
    [
      'was skipped',
      `update private.payment_emails set sent_at = now() - interval '40 days', is_skipped = true where profile_id = $1`,
    ],
    ['was sent late', `update private.payment_emails set sent_at = now() - interval '29 days' where profile_id = $1`],
  ])('does not rise if the email %s [OFFER-08]', async (_what, statement) => {
    await setPrice(1_500)
    await move()
    await age(40, { isSent: false })
    await world.query(statement, [fan.profileId])
    await world.query('select private.request_due_price_moves()')
    expect(await requests()).toBe(0)
    await report(1, 1_500)
    expect(await price()).toBe(999)
  })

  it('has notices that nobody can date back, not even the server [OFFER-08]', async () => {
    await setPrice(1_500)
    const insert = `insert into public.price_moves (subscription_id, subscriber_id, creator_id, product_id, from_cents, to_cents, notified_at, moves_at)
      select id, subscriber_id, creator_id, tier_id, 999, 1500, now() - interval '60 days', now() - interval '30 days'
      from public.subscriptions where subscriber_id = $1`
    await world.as('service_role', insert, [fan.profileId])
    expect(
      await world.query('select notified_at, moves_at from public.price_moves where subscriber_id = $1', [
        fan.profileId,
      ]),
    ).toEqual([{ notified_at: null, moves_at: null }])
    const own = 'where subscriber_id = $1'
    await expect(
      world.as('service_role', `update public.price_moves set done_at = now() ${own}`, [fan.profileId]),
    ).rejects.toMatchObject(refused)
    await world.as('service_role', `update public.price_moves set notified_at = now() - interval '60 days' ${own}`, [
      fan.profileId,
    ])
    expect(await moves()).toMatchObject([{ has_notice: true }])
    for (const change of [`moves_at = now()`, `notified_at = null`, 'to_cents = 5000'])
      await expect(
        world.as('service_role', `update public.price_moves set ${change} ${own}`, [fan.profileId]),
      ).rejects.toMatchObject(refused)
  })
})

describe('moving subscribers', () => {
  it("is for the plan's creator alone [OFFER-08]", async () => {
    await setPrice(1_500)
    for (const caller of [fan, await world.buildCreator(), await world.buildAdmin()])
      await expect(move(caller)).rejects.toMatchObject({ code: 'PT404' })
    await expect(world.as('anon', 'select public.move_subscribers(null)')).rejects.toMatchObject(refused)
    expect(await moves()).toEqual([])
  })

  it('happens once, however often it is clicked, and again for another price [OFFER-08]', async () => {
    await setPrice(1_500)
    const all = await Promise.all([move(), move(), move()])
    expect(all.toSorted()).toEqual([0, 0, 1])
    await setPrice(2_000)
    expect(await move()).toBe(1)
    expect(await moves()).toMatchObject([{ to_cents: 2_000, has_notice: true }])
    await setPrice(999)
    expect(await move()).toBe(0)
    expect(await moves()).toEqual([])
  })

  it('leaves out subscribers who have canceled, pay the price already, or have a term that is no longer sold', async () => {
    await setPrice(1_500)
    await report(1, 999, { ends: true })
    expect(await move()).toBe(0)
    await report(3, 2_997)
    expect(await move()).toBe(0)
    await setPrice(1_500, [{ months: 3, cents: 4_500 }])
    expect(await move()).toBe(1)
    expect(await moves()).toMatchObject([{ from_cents: 2_997, to_cents: 4_500 }])
  })

  it('to a lower price happens with the next renewal [OFFER-08]', async () => {
    await setPrice(500)
    await move()
    expect(await moves()).toEqual([{ from_cents: 999, to_cents: 500, has_notice: false, done: false }])
    await world.query('select private.request_due_price_moves()')
    expect(await requests()).toBe(1)
    await report(1, 500)
    expect(await price()).toBe(500)
    expect(await moves()).toMatchObject([{ done: true }])
  })

  it('ends when the subscriber leaves or switches, and waits while a cancellation can be undone [OFFER-08]', async () => {
    await setPrice(1_500)
    await move()
    await age(40)
    await report(1, 999, { ends: true })
    await world.query('select private.request_due_price_moves()')
    expect(await requests()).toBe(0)
    await report(1, 999)
    await world.query('select private.request_due_price_moves()')
    expect(await requests()).toBe(1)
    await report(3, 4_500)
    expect(await moves()).toEqual([])
    await report(1, 999)
    await setPrice(1_500)
    await move()
    await report(1, 999, { status: 'canceled' })
    expect(await moves()).toEqual([])
  })

  it("shows the creator who pays an earlier price, and the parties' moves to nobody else [OFFER-08]", async () => {
    const earlier = (caller: Person = creator) =>
      world.as(
        caller,
        'select product_id, subscribers, moving, moves_at is not null as dated from public.get_earlier_prices($1)',
        [creator.profileId],
      )
    expect(await earlier()).toEqual([])
    await setPrice(1_500)
    expect(await earlier()).toEqual([{ product_id: creator.productId, subscribers: 1, moving: 0, dated: false }])
    await move()
    expect(await earlier()).toEqual([{ product_id: creator.productId, subscribers: 0, moving: 1, dated: true }])
    await expect(earlier(fan)).rejects.toMatchObject(refused)
    const seen = (caller: Person) =>
      world.as(caller, 'select from public.price_moves where creator_id = $1', [creator.profileId])
    expect(await seen(creator)).toHaveLength(1)
    expect(await seen(await world.buildPerson())).toHaveLength(0)
    for (const statement of ['update public.price_moves set done_at = now()', 'delete from public.price_moves'])
      await expect(world.as(creator, statement)).rejects.toMatchObject(refused)
  })

  it('sends the notices of many in batches, each once', async () => {
    await setPrice(1_500)
    await move()
    expect(await world.query('select private.announce_price_moves(100) as written')).toEqual([{ written: 0 }])
    expect(
      await world.query(
        `select count(*)::int as emails from private.payment_emails where kind = 'price_change' and profile_id = $1`,
        [fan.profileId],
      ),
    ).toEqual([{ emails: 1 }])
  })
})
