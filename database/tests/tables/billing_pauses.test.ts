import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
})
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
  await report(fan)
  await world.as(creator, 'select public.set_fans_may_pause(true)')
})
afterAll(() => world.close())

/** What Stripe says of a fan's subscription, whose period ends in so many days. */
async function report(person: Person, status = 'active', endsIn = 20): Promise<string> {
  const [row] = await world.as(
    'service_role',
    `select private.apply_subscription_state($1, $2, $3, $4, $5, now() - interval '10 days', now() + make_interval(days => $6), null, false, null, now(), 999, 1) as id`,
    [`sub_${person.profileId}`, person.profileId, creator.profileId, creator.productId, status, endsIn],
  )
  return String(row?.id)
}
const own = async () =>
  (await world.query('select * from public.subscriptions where subscriber_id = $1', [fan.profileId]))[0]
const pause = async (months = 1) =>
  world.as('service_role', 'select private.pause_subscription($1, $2)', [(await own())?.id, months])
/** Stripe has what was requested. */
const deliver = () => world.query('delete from private.pause_tasks')
/** The fan's pause, so many days later. */
const age = (days: number) =>
  world.query(
    `update public.subscriptions set paused_from = paused_from - make_interval(days => $2), paused_until = paused_until - make_interval(days => $2)
     where subscriber_id = $1`,
    [fan.profileId, days],
  )
const ageBilling = (days: number) =>
  world.query(
    `update public.billing_pauses set started_at = started_at - make_interval(days => $2), resumes_at = resumes_at - make_interval(days => $2)
     where creator_id = $1`,
    [creator.profileId, days],
  )
const notices = async (person: Person, like: string) =>
  (
    await world.query('select title from public.notifications where user_id = $1 and title like $2', [
      person.profileId,
      like,
    ])
  ).length
const step = async (most = 200) =>
  (await world.as('service_role', 'select private.advance_billing_pause($1, $2) as more', [creator.profileId, most]))[0]
    ?.more

describe("a fan's pause", () => {
  it('closes every gate of the creator from the end of the paid period [OFFER-10]', async () => {
    const post = await world.buildPost(creator, { type: 'subscription' })
    const feed = () => world.as(fan, 'select token from public.get_feed_address($1)', [creator.profileId])
    const reads = async () => ({
      status: (
        await world.as(fan, 'select has_access from public.get_subscription_status($1, $2)', [
          fan.profileId,
          creator.profileId,
        ])
      )[0]?.has_access,
      isSubscriber: (
        await world.query('select private.is_subscriber($1, $2) as yes', [creator.profileId, fan.profileId])
      )[0]?.yes,
      content: String(
        (await world.as(fan, 'select content from public.posts where id = $1', [post.id]))[0]?.content ?? '',
      ).includes('secret words'),
    })
    expect(await reads()).toEqual({ status: true, isSubscriber: true, content: true })
    const [{ token } = { token: '' }] = await feed()
    await pause()
    await deliver()
    expect(await reads()).toEqual({ status: true, isSubscriber: true, content: true })
    await age(21)
    // At once, before any job runs.
    expect(await reads()).toMatchObject({ status: false, content: false })
    await world.as('service_role', 'select private.begin_next_pause()')
    expect(await reads()).toEqual({ status: false, isSubscriber: false, content: false })
    expect(await own()).toMatchObject({ status: 'paused' })
    expect(await world.query('select from private.open_feed($1)', [token]).catch(() => [])).toEqual([])
    expect(
      (await world.query('select subscription_status from private.fans where fan_id = $1', [fan.profileId]))[0],
    ).toEqual({
      subscription_status: 'paused',
    })
    expect(
      (await world.query('select subscribers_count as n from private.profiles where id = $1', [creator.profileId]))[0],
    ).toEqual({
      n: 0,
    })
  })

  it("stays closed when Stripe reports a free period, and isn't ended by the clock [OFFER-10]", async () => {
    await pause(3)
    await deliver()
    await age(21)
    await report(fan, 'active', 15)
    expect(await own()).toMatchObject({ status: 'paused' })
    await world.as('service_role', 'select private.expire_subscriptions()')
    expect(await own()).toMatchObject({ status: 'paused' })
    await report(fan, 'past_due', 15)
    expect(
      (
        await world.query('select access_until > now() as open from public.subscriptions where subscriber_id = $1', [
          fan.profileId,
        ])
      )[0],
    ).toEqual({
      open: false,
    })
    await world.as('service_role', 'select private.expire_subscriptions()')
    expect(await own()).toMatchObject({ status: 'past_due' })
    await world.query(
      `update public.subscriptions set past_due_since = now() - interval '74 hours' where subscriber_id = $1`,
      [fan.profileId],
    )
    await world.as('service_role', 'select private.expire_subscriptions()')
    expect(await own()).toMatchObject({ status: 'unpaid' })
  })

  it('waits until Stripe has it, and moves behind a period that was charged meanwhile [OFFER-10]', async () => {
    await pause()
    await age(21)
    expect((await world.as('service_role', 'select private.begin_next_pause() as begun'))[0]).toEqual({ begun: false })
    await report(fan, 'active', 29)
    const id = (await own())?.id
    await world.as('service_role', `select private.move_pause($1, now() + interval '29 days')`, [id])
    expect(await own()).toMatchObject({ status: 'active' })
    expect(
      (await world.query('select access_until > now() as open from public.subscriptions where id = $1', [id]))[0],
    ).toEqual({
      open: true,
    })
  })

  it('is claimed by one process at a time, for two minutes [OFFER-10]', async () => {
    await pause()
    await deliver()
    const id = (await own())?.id
    const claim = async () => (await world.as('service_role', 'select private.claim_resume($1) as mine', [id]))[0]?.mine
    expect(await claim()).toBe(false)
    await age(21)
    await world.as('service_role', 'select private.begin_next_pause()')
    expect([await claim(), await claim()]).toEqual([true, false])
    await world.query(
      `update private.stripe_subscriptions set resume_claimed_until = now() where subscription_id = $1`,
      [id],
    )
    expect(await claim()).toBe(true)
  })

  it('is no choice of a gift, or for clients [OFFER-10]', async () => {
    const id = (await own())?.id
    for (const call of ['private.pause_subscription($1, 1)', 'private.undo_pause($1)', 'private.end_pause($1)'])
      await expect(world.as(fan, `select ${call}`, [id])).rejects.toMatchObject({ code: '42501' })
    for (const set of ['paused_from = null', 'paused_until = now()', `status = 'active'`])
      await expect(world.as(fan, `update public.subscriptions set ${set} where id = $1`, [id])).rejects.toMatchObject({
        code: '42501',
      })
  })
})

describe("a creator's pause", () => {
  it('walks through all subscribers in steps, each once [OFFER-09]', async () => {
    const others = [await world.buildPerson(), await world.buildPerson(), await world.buildPerson()]
    for (const other of others) await report(other)
    await world.query(
      `insert into public.billing_pauses (creator_id, months, resumes_at) values ($1, 1, date_trunc('second', now()) + interval '1 month')`,
      [creator.profileId],
    )
    for (let steps = 0; await step(1); steps += 1) expect(steps).toBeLessThan(6)
    const everyone = [fan, ...others]
    for (const person of everyone) expect(await notices(person, '%has paused billing')).toBe(1)
    expect(
      (
        await world.query(
          'select count(*)::int as n from private.pause_tasks where subscription_id in (select id from public.subscriptions where creator_id = $1)',
          [creator.profileId],
        )
      )[0],
    ).toEqual({
      n: 4,
    })
    await ageBilling(24)
    for (let steps = 0; await step(3); steps += 1) expect(steps).toBeLessThan(4)
    for (const person of everyone) expect(await notices(person, '%resumes billing on%')).toBe(1)
    await ageBilling(8)
    for (let steps = 0; await step(); steps += 1) expect(steps).toBeLessThan(3)
    expect(
      (await world.query('select stage from public.billing_pauses where creator_id = $1', [creator.profileId]))[0],
    ).toEqual({
      stage: 'ended',
    })
  })

  it('is at most 3 months long, one at a time, and ends early with 7 days of notice [OFFER-09]', async () => {
    for (const months of [0, 4, null])
      await expect(world.as(creator, 'select public.pause_billing($1)', [months])).rejects.toMatchObject({
        code: 'PT422',
      })
    await world.as(creator, 'select public.pause_billing(3)')
    await expect(world.as(creator, 'select public.pause_billing(1)')).rejects.toMatchObject({ code: 'PT409' })
    expect(
      (
        await world.as(
          creator,
          `select at between now() + interval '6 days 23 hours' and now() + interval '7 days' as fair from public.resume_billing() at`,
        )
      )[0],
    ).toEqual({ fair: true })
    await expect(world.as(creator, 'select public.resume_billing()')).rejects.toMatchObject({ code: 'PT409' })
    expect(await notices(fan, '%resumes billing on%')).toBe(0)
    await step()
    expect(await notices(fan, '%resumes billing on%')).toBe(1)
  })

  it('sends no reminder of a renewal that nobody pays [OFFER-09, OFFER-10]', async () => {
    await world.query(
      `update public.subscriptions set interval_count = 12, current_period_end = now() + interval '10 days', billing_paused_until = now() + interval '20 days' where subscriber_id = $1`,
      [fan.profileId],
    )
    await world.as('service_role', 'select private.write_reminders()')
    const kinds = async () =>
      (
        await world.query(`select kind from private.payment_emails where profile_id = $1 and kind = 'renewal'`, [
          fan.profileId,
        ])
      ).length
    expect(await kinds()).toBe(0)
    await world.query('update public.subscriptions set billing_paused_until = null where subscriber_id = $1', [
      fan.profileId,
    ])
    await world.as('service_role', 'select private.write_reminders()')
    expect(await kinds()).toBe(1)
  })

  it('leaves the monthly revenue of its subscribers out [OFFER-09]', async () => {
    const admin = await world.buildAdmin()
    const revenue = async () =>
      Number((await world.as(admin, 'select monthly_cents from public.get_admin_overview()'))[0]?.monthly_cents)
    const before = await revenue()
    await world.as(creator, 'select public.pause_billing(1)')
    expect(before - (await revenue())).toBe(999)
  })
})
