import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan] = [await world.buildCreator(), await world.buildPerson()]
})
afterEach(async () => expect(await books.problems()).toEqual([]))

type Row = Record<string, unknown>
const ask = (call: string, values: unknown[] = [], caller: Person = creator): Promise<Row[]> =>
  world.as(caller, `select * from public.${call}`, [creator.profileId, ...values])
/** Days as text: a date would get the time zone of this machine. */
const series = (from: string, to: string, zone = 'UTC', more = '') =>
  ask(`get_subscriber_series($1, current_date + $2::int, current_date + $3::int, $4${more})`, [from, to, zone])
const day = (row: Row | undefined) =>
  [row?.subscribers, row?.began, row?.returned, row?.lost, Number(row?.monthly_cents)] as const
const before = (row: Row | undefined) =>
  [
    row?.previous_subscribers,
    row?.previous_began,
    row?.previous_returned,
    row?.previous_lost,
    Number(row?.previous_monthly_cents),
  ] as const
const sub = () => `sub_${randomUUID()}`
/** A subscription that ran from some days ago until others. */
async function ran(from: number, until: number, person = fan, productId = creator.productId) {
  const stripeId = sub()
  await world.subscribe(person, creator, { stripeId, productId, start: `-${from} days`, end: `-${until} days` })
  await world.subscribe(person, creator, {
    stripeId,
    productId,
    status: 'canceled',
    start: `-${from} days`,
    end: `-${until} days`,
    cancelAtPeriodEnd: true,
    eventAt: '1 second',
  })
}

describe('subscribers by day', () => {
  it('are new, return, and are lost, beside the period before [STATX-01, D115]', async () => {
    await ran(12, 8)
    await world.subscribe(fan, creator, { start: '-2 days' })
    const days = await series('-6', '0')
    expect(days.map(day)).toEqual([
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
      [1, 0, 1, 0, 999],
      [1, 0, 0, 0, 999],
      [1, 0, 0, 0, 999],
    ])
    // Days 13 to 7 ago.
    expect(days.map(before)).toEqual([
      [0, 0, 0, 0, 0],
      [1, 1, 0, 0, 999],
      [1, 0, 0, 0, 999],
      [1, 0, 0, 0, 999],
      [1, 0, 0, 0, 999],
      [0, 0, 0, 1, 0],
      [0, 0, 0, 0, 0],
    ])
  })

  it('follow plans and prices: a switch neither gains nor loses anybody [STATX-01, D115]', async () => {
    const dear = await world.buildProduct(creator, 12_000, 'year')
    const stripeId = sub()
    await world.subscribe(fan, creator, { stripeId, start: '-3 days' })
    await world.subscribe(fan, creator, { stripeId, productId: dear, start: '-3 days', eventAt: '1 second' })
    expect((await series('-3', '0')).map(day)).toEqual([
      [1, 1, 0, 0, 999],
      [1, 0, 0, 0, 999],
      [1, 0, 0, 0, 999],
      [1, 0, 0, 0, 1000],
    ])
    const of = async (plan: string) => {
      const [row] = await world.as(
        creator,
        'select * from public.get_subscriber_series($1, current_date, current_date, $2, $3, $4)',
        [creator.profileId, 'UTC', 'plan', plan],
      )
      return day(row)
    }
    expect(await of(creator.productId)).toEqual([0, 0, 0, 0, 0])
    expect(await of(dear)).toEqual([1, 0, 0, 0, 1000])
  })

  it('are worth nothing a month on trial and as a gift, and their price from the first charge [STATX-01, D115]', async () => {
    const stripeId = sub()
    await world.subscribe(fan, creator, { stripeId, status: 'trial', trialEnd: '7 days' })
    await world.query(
      `insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, current_period_start, current_period_end, is_gift,
         cancel_at_period_end, price_cents, access_until)
       values ($1, $2, $3, 'active', now(), now() + interval '1 month', true, true, 999, now())`,
      [(await world.buildPerson()).profileId, creator.profileId, creator.productId],
    )
    expect(day((await series('0', '0'))[0])).toEqual([2, 2, 0, 0, 0])
    await world.subscribe(fan, creator, { stripeId, trialEnd: '0 days', eventAt: '1 second' })
    await world.subscribe(fan, creator, { stripeId, status: 'past_due', trialEnd: '0 days', eventAt: '2 seconds' })
    expect(day((await series('0', '0'))[0])).toEqual([2, 2, 0, 0, 999])
    const groups = await ask('get_subscriber_groups($1)')
    expect(groups.filter(({ dimension }) => dimension === 'source').map((row) => [row.name, ...day(row)])).toEqual([
      ['gift', 1, 1, 0, 0, 0],
      ['trial', 1, 1, 0, 0, 999],
    ])
    // One of three that ends unpaid is lost; its payment brings it back.
    await world.subscribe(fan, creator, { stripeId, status: 'unpaid', trialEnd: '0 days', eventAt: '3 seconds' })
    expect(day((await series('0', '0'))[0])).toEqual([1, 2, 0, 1, 0])
    await world.subscribe(fan, creator, { stripeId, trialEnd: '0 days', eventAt: '4 seconds' })
    expect(day((await series('0', '0'))[0])).toEqual([2, 2, 1, 1, 999])
  })

  it('fall on the days of the time zone, also of one that is 45 minutes off [STATX-03, D115]', async () => {
    await world.subscribe(fan, creator)
    // 18:20 in UTC is five minutes after midnight in Kathmandu, and half past five in the morning in Auckland.
    await world.query(
      `update private.subscriber_spans set joined_at = '2026-01-10 18:20+00', began_at = '2026-01-10 18:20+00' where creator_id = $1`,
      [creator.profileId],
    )
    const dayIn = async (zone: string | null) => {
      const rows = await world.as(
        creator,
        `select s.day::text from public.get_subscriber_series($1, '2026-01-01', '2026-01-31', $2) s where s.began = 1`,
        [creator.profileId, zone],
      )
      return rows[0]?.day
    }
    expect(await dayIn('UTC')).toBe('2026-01-10')
    expect(await dayIn('Asia/Kolkata')).toBe('2026-01-10')
    expect(await dayIn('Asia/Kathmandu')).toBe('2026-01-11')
    expect(await dayIn('Pacific/Auckland')).toBe('2026-01-11')
    // Without one, in the zone that the app last reported.
    expect(await dayIn(null)).toBe('2026-01-10')
    await world.as(creator, `select public.report_time_zone('Asia/Kathmandu')`)
    expect(await dayIn(null)).toBe('2026-01-11')
  })

  it('stay when a subscriber deletes the account, who is then lost [STATX-01, SET-14]', async () => {
    await world.subscribe(fan, creator, { start: '-1 days' })
    await world.as('service_role', 'select private.delete_account($1)', [fan.userId])
    expect((await series('-1', '0')).map(day)).toEqual([
      [1, 1, 0, 0, 999],
      [0, 0, 0, 1, 0],
    ])
    const gone = await world.buildCreator()
    await world.subscribe(await world.buildPerson(), gone)
    await world.as('service_role', 'select private.delete_account($1)', [gone.userId])
    expect(
      await world.query('select from private.subscriber_spans where creator_id = $1', [gone.profileId]),
    ).toHaveLength(0)
  })

  it('are the creator’s and admins’ alone, for up to 366 days, in a known time zone [STATX-01]', async () => {
    const admin = await world.buildAdmin()
    const calls = [
      'get_subscriber_series($1)',
      'get_subscriber_groups($1)',
      'get_subscriber_retention($1)',
      'get_subscriber_values($1)',
      'get_analytics_marks($1)',
    ]
    for (const call of calls) {
      await expect(ask(call, [], fan)).rejects.toMatchObject(refused)
      await expect(ask(call, [], await world.buildCreator())).rejects.toMatchObject(refused)
      await ask(call, [], admin)
    }
    for (const call of ['get_subscriber_series', 'get_subscriber_groups', 'get_analytics_marks']) {
      await expect(ask(`${call}($1, '2026-01-02', '2026-01-01')`)).rejects.toMatchObject({ code: '22023' })
      await expect(ask(`${call}($1, '2025-01-01', '2026-01-03')`)).rejects.toMatchObject({ code: '22023' })
      await expect(ask(`${call}($1, time_zone => 'Mars/Olympus')`)).rejects.toMatchObject({ code: '22023' })
    }
    await expect(ask(`get_subscriber_retention($1, 'Mars/Olympus')`)).rejects.toMatchObject({ code: '22023' })
  })
})

it('subscribers are grouped by plan, by how they began, and by link [STATX-01, D115]', async () => {
  const [link] = await world.as(
    creator,
    `insert into public.tracking_links (name, target) values ('Bio', 'profile') returning id, code`,
  )
  const opened = `${link?.code}.${Math.floor(Date.now() / 1000) - 60}`
  await world.as(fan, 'select public.claim_link_visits($1)', [opened])
  await world.subscribe(fan, creator)
  await ran(40, 10, await world.buildPerson())
  const groups = await ask('get_subscriber_groups($1)')
  expect(groups.map((row) => [row.dimension, row.name, ...day(row), ...before(row)])).toEqual([
    ['link', 'Bio', 1, 1, 0, 0, 999, 0, 0, 0, 0, 0],
    ['link', null, 0, 0, 0, 1, 0, 1, 1, 0, 0, 999],
    ['plan', 'Plan', 1, 1, 0, 1, 999, 1, 1, 0, 0, 999],
    ['source', 'paid', 1, 1, 0, 1, 999, 1, 1, 0, 0, 999],
  ])
  const [filtered] = await world.as(
    creator,
    'select * from public.get_subscriber_series($1, current_date, current_date, $2, $3, $4)',
    [creator.profileId, 'UTC', 'link', link?.id],
  )
  expect(day(filtered)).toEqual([1, 1, 0, 0, 999])
  await expect(ask(`get_subscriber_series($1, dimension => 'left')`)).rejects.toMatchObject({ code: '22023' })
})

it('retention counts who remains, by the month in which they began [STATX-01, D116]', async () => {
  // The first of the month four months ago: three months have passed for all who began in it.
  const [times] = await world.query(
    `select to_char(date_trunc('month', now()) - interval '4 months', 'YYYY-MM-DD') as month`,
  )
  const stay = async (until: string | null) => {
    const person = await world.buildPerson()
    const stripeId = sub()
    await world.subscribe(person, creator, { stripeId })
    if (until !== null) await world.subscribe(person, creator, { stripeId, status: 'canceled', eventAt: '1 second' })
    await world.query(
      `update private.subscriber_spans s set joined_at = b.at, began_at = b.at, ended_at = b.at + $2::interval,
         months = private.whole_months(b.at, b.at + $2::interval)
       from (select date_trunc('month', now()) - interval '4 months' as at) b where s.creator_id = $1 and s.joined_at > now() - interval '1 day'`,
      [creator.profileId, until],
    )
  }
  await stay(null)
  await stay('1 month')
  await stay('2 months 1 day')
  const cohorts = await world.as(
    creator,
    'select c.month::text, c.subscribers, c.remaining from public.get_subscriber_retention($1, $2) c',
    [creator.profileId, 'UTC'],
  )
  expect(cohorts).toEqual([{ month: times?.month, subscribers: 3, remaining: [2, 2, 1] }])
})

describe('the value of subscribers', () => {
  const values = async () =>
    (await ask('get_subscriber_values($1)')).map((row) => [
      row.dimension,
      row.name,
      row.subscribers,
      Number(row.subscription_cents),
      Number(row.other_cents),
    ])

  it('is what they brought to the cent, after fees and refunds, also before they subscribed [STATX-01, STATX-04, D117]', async () => {
    const tip = await books.tip(fan, creator, { gross: 1234, fee: 123 })
    await books.tip(await world.buildPerson(), creator, { gross: 5000 })
    expect(await values()).toEqual([])
    await world.subscribe(fan, creator)
    const payment = await world.pay(fan, creator)
    await world.pay(fan, creator, { gross: 777, fee: 78 })
    expect(await values()).toEqual([
      ['link', null, 1, 1598, 1111],
      ['plan', 'Plan', 1, 1598, 1111],
    ])
    await books.refund(tip, 234)
    await books.refund(payment)
    const [sums] = await world.query(
      `select coalesce(sum(t.net_amount) filter (where 'subscription' in (t.transaction_type, o.transaction_type)), 0)::int as subscription,
         coalesce(sum(t.net_amount) filter (where 'tip' in (t.transaction_type, o.transaction_type)), 0)::int as other
       from public.transactions t left join public.transactions o on o.id = t.original_transaction_id
       where t.to_user_id = $1 and t.from_user_id = $2`,
      [creator.profileId, fan.profileId],
    )
    expect(sums?.subscription).toBe(699)
    expect(await values()).toEqual([
      ['link', null, 1, sums?.subscription, sums?.other],
      ['plan', 'Plan', 1, sums?.subscription, sums?.other],
    ])
  })

  it('stays when the account is deleted, less what is refunded of its subscription later [STATX-01, STATX-04, D117]', async () => {
    await world.subscribe(fan, creator)
    const payment = await world.pay(fan, creator)
    await books.tip(fan, creator, { gross: 1000 })
    await world.as('service_role', 'select private.delete_account($1)', [fan.userId])
    expect(await values()).toContainEqual(['plan', 'Plan', 1, 899, 900])
    await books.refund(payment)
    expect(await values()).toContainEqual(['plan', 'Plan', 1, 0, 900])
  })

  it('belongs to the plan of the first subscription, and to its link [STATX-01, D117]', async () => {
    await ran(60, 30)
    const second = await world.buildProduct(creator, 2000)
    await world.subscribe(fan, creator, { productId: second })
    await world.pay(fan, creator)
    const rows = await ask('get_subscriber_values($1)')
    expect(rows.filter(({ dimension }) => dimension === 'plan').map(({ id }) => id)).toEqual([creator.productId])
  })
})

it('price changes and mass messages are noted on their days, in the creator’s time zone [STATX-01]', async () => {
  await world.query('update public.subscription_products set price_cents = 1299 where id = $1', [creator.productId])
  await world.query('update public.subscription_products set price_cents = 1299 where id = $1', [creator.productId])
  await world.query(
    `insert into public.mass_messages (creator_id, content, audience, status, sent_at, sent_count)
     values ($1, E'New\nsongs ' || repeat('x', 100), '{}', 'sent', now(), 7), ($1, 'A draft', '{}', 'draft', null, 0)`,
    [creator.profileId],
  )
  const marks = await world.as(
    creator,
    `select m.day = (now() at time zone 'Asia/Kathmandu')::date as is_today, m.kind, m.name, m.from_cents, m.to_cents, m.recipients
     from public.get_analytics_marks($1, time_zone => 'Asia/Kathmandu') m order by m.kind`,
    [creator.profileId],
  )
  expect(marks).toEqual([
    {
      is_today: true,
      kind: 'message',
      name: `New songs ${'x'.repeat(70)}`,
      from_cents: null,
      to_cents: null,
      recipients: 7,
    },
    { is_today: true, kind: 'price', name: 'Plan', from_cents: 999, to_cents: 1299, recipients: null },
  ])
})

it('data made without triggers gets the same spans and values, as an earlier version’s [STATX-04]', async () => {
  const [second, third] = [await world.buildPerson(), await world.buildPerson()]
  await ran(50, 20)
  await world.subscribe(fan, creator, { start: '-3 days' })
  await world.pay(fan, creator)
  await world.subscribe(second, creator, { status: 'trial', trialEnd: '7 days' })
  await ran(10, 2, third)
  await books.tip(third, creator)
  const columns = 'plan_id, link_id, source, monthly_cents, began_as, ended_as, months'
  const kept = await world.query(
    `select ${columns} from private.subscriber_spans where creator_id = $1 order by subscription_id, began_at`,
    [creator.profileId],
  )
  expect(kept).toHaveLength(4)
  expect(
    await world.query(
      `select ${columns} from private.compute_subscriber_spans() where creator_id = $1 order by subscription_id, began_at`,
      [creator.profileId],
    ),
  ).toEqual(kept)
  const sums = 'fan_id, plan_id, link_id, subscription_cents, other_cents, joined_at is null as never'
  expect(
    await world.query(`select ${sums} from private.compute_subscriber_values() where creator_id = $1 order by fan_id`, [
      creator.profileId,
    ]),
  ).toEqual(
    await world.query(`select ${sums} from private.subscriber_values where creator_id = $1 order by fan_id`, [
      creator.profileId,
    ]),
  )
})

const rollUp = async (size: number) => {
  for (;;) {
    const [row] = await world.as('service_role', 'select private.roll_up_subscribers($1) as more', [size])
    if (row?.more !== true) return
  }
}

it('random histories have the same figures before, between, and after the roll-up, as counted day by day [STATX-01, STATX-03, STATX-04]', async () => {
  await rollUp(1000)
  const other = await world.buildProduct(creator, 500)
  await world.query(
    `insert into private.subscriber_spans (creator_id, subscription_id, plan_id, source, monthly_cents, joined_at, began_at, began_as, ended_at, ended_as, months)
     select $1, gen_random_uuid(), case when r.a < 0.5 then $2::uuid else $3::uuid end, (array['paid', 'trial', 'gift'])[1 + n % 3], n, b.at, b.at,
       case when n % 4 = 0 then 'returning' else 'new' end, e.at, 'lost', private.whole_months(b.at, e.at)
     from generate_series(1, 400) n
     cross join lateral (select random() as a, random() as b where n > 0) r
     cross join lateral (select now() - r.a * interval '100 days' as at) b
     cross join lateral (select least(b.at + r.b * interval '80 days', now()) as at) e`,
    [creator.profileId, creator.productId, other],
  )
  /** Counted from the spans by day, without roll-ups and buckets. */
  const counted = (zone: string) =>
    world.query(
      `select g.day::date::text as day,
         (count(*) filter (where s.began_at < z.ends and s.ended_at >= z.ends))::int as subscribers,
         (count(*) filter (where s.began_as = 'new' and s.began_at >= z.starts and s.began_at < z.ends))::int as began,
         (count(*) filter (where s.began_as = 'returning' and s.began_at >= z.starts and s.began_at < z.ends))::int as returned,
         (count(*) filter (where s.ended_at >= z.starts and s.ended_at < z.ends))::int as lost,
         coalesce(sum(s.monthly_cents) filter (where s.began_at < z.ends and s.ended_at >= z.ends), 0)::text as monthly_cents
       from generate_series(date_trunc('day', now() at time zone $2) - interval '59 days', now() at time zone $2, interval '1 day') g (day)
       cross join lateral (select g.day at time zone $2 as starts, (g.day + interval '1 day') at time zone $2 as ends) z
       cross join (select * from private.subscriber_spans s where s.creator_id = $1 and s.ended_as is not null and s.plan_id = $3) s
       group by g.day order by g.day`,
      [creator.profileId, zone, other],
    )
  const shown = async (zone: string) =>
    world.as(
      creator,
      `select s.day::text, s.subscribers, s.began, s.returned, s.lost, s.monthly_cents::text
       from public.get_subscriber_series($1, (now() at time zone $2)::date - 59, null, $2, 'plan', $3) s`,
      [creator.profileId, zone, other],
    )
  const others = async () => [
    await ask('get_subscriber_groups($1)'),
    await ask('get_subscriber_retention($1)'),
    (await ask('get_subscriber_series($1)')).map(day),
  ]
  const before = await others()
  for (const size of [0, 100, 1000]) {
    if (size > 0) await world.as('service_role', 'select private.roll_up_subscribers($1)', [size])
    for (const zone of ['UTC', 'America/St_Johns', 'Asia/Kathmandu', 'America/Los_Angeles'])
      expect(await shown(zone), `${zone} after ${size}`).toEqual(await counted(zone))
    expect(await others()).toEqual(before)
    expect(await books.problems()).toEqual([])
  }
  // All of it again, after a change by hand.
  await world.query('select private.recount_subscribers(array[$1::uuid])', [creator.profileId])
  await rollUp(150)
  expect(await others()).toEqual(before)
})

it('a roll-up that finds another at work leaves it alone [STATX-04]', async () => {
  await world.subscribe(fan, creator)
  const other = await world.begin('service_role', ['select private.roll_up_subscribers() as more'])
  expect(await world.as('service_role', 'select private.roll_up_subscribers() as more')).toEqual([{ more: false }])
  await other.commit()
  expect(day((await series('0', '0'))[0])).toEqual([1, 1, 0, 0, 999])
})

it('the check finds each figure that differs [STATX-04]', async () => {
  await world.subscribe(fan, creator)
  await world.pay(fan, creator)
  const spoiled = async (statement: string) => {
    const { all, run, commit } = await world.begin('service_role', [
      'reset role',
      statement,
      'select counter from private.verify_subscribers() order by 1',
    ])
    await run('rollback')
    await commit()
    return all.at(-1)?.map(({ counter }) => counter)
  }
  const mine = `where creator_id = '${creator.profileId}'`
  expect(await spoiled(`update private.subscriber_spans set monthly_cents = 1 ${mine}`)).toEqual([
    'subscriber_spans.monthly_cents',
  ])
  expect(await spoiled(`delete from private.subscriber_spans ${mine}`)).toEqual(['subscriber_spans.monthly_cents'])
  expect(await spoiled(`update private.subscriber_spans set began_as = 'changed' ${mine}`)).toEqual([
    'subscriber_spans.began_as',
  ])
  await rollUp(1000)
  expect(
    await spoiled(`update private.subscriber_rollups set cents = 1 ${mine} and dimension = 'all' and size = 4`),
  ).toEqual(['subscriber_rollups.cents'])
  expect(await spoiled(`delete from private.subscriber_rollups ${mine} and dimension = 'all' and size = 1`)).toEqual([
    'subscriber_rollups.began',
    'subscriber_rollups.cents',
    'subscriber_rollups.spans',
  ])
  expect(await spoiled(`update private.subscriber_values set subscription_cents = 898 ${mine}`)).toEqual([
    'subscriber_values.all_subscription_cents',
    'subscriber_values.subscription_cents',
  ])
  expect(await spoiled(`update private.subscriber_values set other_cents = 1, fan_id = null ${mine}`)).toEqual([
    'subscriber_values.all_other_cents',
    'subscriber_values.subscription_cents',
  ])
})
