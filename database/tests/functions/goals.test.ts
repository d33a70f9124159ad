import { randomUUID } from 'node:crypto'
import { withClient } from '@ovation/server/postgres/migrate'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'
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
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterEach(async () => expect(await books.problems()).toEqual([]))

type Details = {
  title?: string
  kind?: string | null
  target?: number | null
  ends?: string | null
  description?: string | null
  cover?: string | null
  refunds?: boolean
}
async function create(details: Details = {}, owner: Caller = creator): Promise<string> {
  const { title = 'New camera', kind = 'money', target = 5000, ends = '30 days', refunds = false } = details
  const [row] = await world.as(owner, 'select public.create_goal($1, $2, $3, now() + $4::interval, $5, $6, $7) as id', [
    title,
    kind,
    target,
    ends,
    details.description ?? null,
    details.cover ?? null,
    refunds,
  ])
  return String(row?.id)
}
const tip = (goalId: string | undefined, gross = 1000, from = fan, cause = `pi_${randomUUID()}`) =>
  books.tip(from, creator, { cause, gross }, undefined, undefined, goalId)
const read = async (id: string, caller: Caller = 'anon') =>
  (
    await world.as(
      caller,
      'select title, kind, status, target::int, progress::int, closed_progress::int from public.goals where id = $1',
      [id],
    )
  )[0]
const quote = async (goalId: string, cents = 1000, to = creator) =>
  (
    await world.as('service_role', 'select amount_cents, title from private.quote_tip($1, $2, $3, $4)', [
      fan.profileId,
      to.profileId,
      cents,
      goalId,
    ])
  )[0]
const call = (owner: Caller, name: string, values: unknown[]) =>
  world.as(owner, `select public.${name}(${values.map((_, place) => `$${place + 1}`).join()})`, values)
/** Lets the goal's end pass, and the minutes after it. */
const pass = (id: string, ago = '6 minutes') =>
  world.query('update public.goals set ends_at = now() - $2::interval where id = $1', [id, ago])
const close = () => world.as('service_role', 'select private.close_goals()')
async function announce(): Promise<number> {
  let batches = 0
  for (;;) {
    const [row] = await world.as('service_role', 'select private.announce_goals() as done')
    if (row?.done === 0) return batches
    batches += 1
  }
}
async function end(id: string): Promise<void> {
  await pass(id)
  await close()
  await announce()
}
const bells = async (person: Person) =>
  (await world.as(person, 'select title, message, data from public.notifications order by created_at, id')).filter(
    ({ title }) => String(title).includes('oal'),
  )

describe('a goal', () => {
  it('is public at once, with its picture, and its creator can change only its words [OFFER-07]', async () => {
    const cover = await world.buildFile(creator, 'covers')
    const id = await create({ description: 'For better light', cover })
    for (const caller of ['anon', fan, creator] as const)
      expect(await read(id, caller)).toEqual({
        title: 'New camera',
        kind: 'money',
        status: 'open',
        target: 5000,
        progress: 0,
        closed_progress: null,
      })
    await call(creator, 'change_goal', [id, ' New lens ', '', null])
    expect(await read(id)).toMatchObject({ title: 'New lens', target: 5000 })
    expect(await world.query('select from storage.objects where name = $1', [cover])).toEqual([])
    for (const sql of [
      `update public.goals set target = 100`,
      `update public.goals set refunds_if_missed = false`,
      `update public.goals set ends_at = now() + interval '1 year'`,
      `delete from public.goals`,
      `insert into public.goals (creator_id, title, kind, target, ends_at) values ('${creator.profileId}', 'x', 'money', 100, now())`,
    ])
      await expect(world.as(creator, sql)).rejects.toMatchObject(refused)
  })

  it.each([
    [{ target: 0 }, 'PT422', 'A goal must be between $1.00 and $1,000,000.00'],
    [{ target: 99 }, 'PT422', 'A goal must be between $1.00 and $1,000,000.00'],
    [{ target: null }, 'PT422', 'A goal must be between $1.00 and $1,000,000.00'],
    [{ target: 100_000_001 }, 'PT422', 'A goal must be between $1.00 and $1,000,000.00'],
    [{ kind: 'subscribers', target: 0 }, 'PT422', 'A goal must be between 1 and 1,000,000 subscribers'],
    [{ kind: 'subscribers', target: 9, refunds: true }, 'PT422', 'Only a goal for money can promise refunds'],
    [{ kind: 'likes' }, '22023', 'kind must be money or subscribers.'],
    [{ ends: '-1 days' }, 'PT422', 'A goal must end at least an hour from now'],
    [{ ends: '59 minutes' }, 'PT422', 'A goal must end at least an hour from now'],
    [{ ends: null }, 'PT422', 'A goal must end at least an hour from now'],
    [{ ends: '367 days' }, 'PT422', 'A goal must end within a year'],
    [{ ends: '92 days', refunds: true }, 'PT422', 'A goal with refunds must end within 90 days'],
  ])('rejects %j [OFFER-07]', async (details, code, message) => {
    await expect(create(details)).rejects.toMatchObject({ code, message })
  })

  it('rejects texts that are too long, and pictures of others [OFFER-07]', async () => {
    await expect(create({ title: 'x'.repeat(101) })).rejects.toMatchObject({ constraint: 'goals_title_length' })
    await expect(create({ title: ' ' })).rejects.toMatchObject({ code: '23502' })
    await expect(create({ description: 'x'.repeat(1001) })).rejects.toMatchObject({
      constraint: 'goals_description_length',
    })
    const cover = await world.buildFile(fan, 'covers')
    await expect(create({ cover })).rejects.toMatchObject({ code: 'PT403' })
    const id = await create()
    await expect(call(creator, 'change_goal', [id, 'A', null, cover])).rejects.toMatchObject({ code: 'PT403' })
  })

  it('is one of three that are open, also when several are set at once [OFFER-07]', async () => {
    const made = await Promise.allSettled(Array.from({ length: 4 }, () => create()))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await expect(create()).rejects.toMatchObject({ code: 'PT409', message: 'You already have 3 goals' })
    const [first] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    await end(String(first))
    expect(await create()).toBeDefined()
  })

  it('is set only by creators who can take tips [OFFER-07]', async () => {
    await expect(create({}, fan)).rejects.toMatchObject({ code: 'PT403' })
    await expect(create({}, 'anon')).rejects.toMatchObject(refused)
    await world.query('update private.profiles set stripe_charges_enabled = false where id = $1', [creator.profileId])
    await expect(create()).rejects.toMatchObject({ message: 'Set up payouts before you set a goal for money' })
    expect(await create({ kind: 'subscribers', target: 5 })).toBeDefined()
    await world.query('update private.profiles set stripe_charges_enabled = true where id = $1', [creator.profileId])
    await world.as(creator, 'insert into public.monetization_settings (creator_id, takes_tips) values ($1, false)', [
      creator.profileId,
    ])
    await expect(create()).rejects.toMatchObject({ message: 'Turn on tips before you set a goal for money' })
  })

  it('belongs to its creator alone [OFFER-07]', async () => {
    const id = await create()
    const rival = await world.buildCreator()
    for (const other of [rival, fan]) {
      await expect(call(other, 'change_goal', [id, 'Mine', null, null])).rejects.toMatchObject({ code: 'PT404' })
      for (const name of ['end_goal', 'delete_goal'])
        await expect(call(other, name, [id])).rejects.toMatchObject({ code: 'PT404' })
      await expect(call(other, 'take_down_goal', [id, 'Envy'])).rejects.toMatchObject(refused)
    }
    expect(await read(id)).toMatchObject({ title: 'New camera', status: 'open' })
  })

  it('is deleted while nobody has tipped toward it, and ended otherwise [OFFER-07]', async () => {
    const [empty, id] = [await create(), await create()]
    await tip(id)
    await call(creator, 'delete_goal', [empty])
    expect(await read(empty, creator)).toBeUndefined()
    await expect(call(creator, 'delete_goal', [id])).rejects.toMatchObject({ code: 'PT409' })
    await call(creator, 'end_goal', [id])
    await expect(quote(id)).rejects.toMatchObject({ code: 'PT409', message: 'This goal has ended' })
    await close()
    expect(await read(id)).toMatchObject({ status: 'open' }) // a payment may be on its way
    await end(id)
    expect(await read(id)).toMatchObject({ status: 'missed', closed_progress: 1000 })
    for (const [name, values] of [
      ['end_goal', [id]],
      ['change_goal', [id, 'A', null, null]],
    ] as const)
      await expect(call(creator, name, [...values])).rejects.toMatchObject({ code: 'PT409' })
  })

  it('is out of sight of blocked users, and when its creator is private or suspended [OFFER-07]', async () => {
    const id = await create()
    const giver = await world.buildPerson()
    await tip(id, 1000, giver)
    await call(creator, 'end_goal', [id])
    await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      fan.profileId,
    ])
    expect(await read(id, fan)).toBeUndefined()
    await expect(quote(id)).rejects.toMatchObject({ code: 'PT403' })
    await world.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    expect(await read(id)).toBeUndefined()
    expect(await read(id, giver)).toMatchObject({ title: 'New camera' })
    await world.query(
      `update private.profiles set is_private = false, suspended_at = now(), suspension_reason = 'Spam', was_private = false where id = $1`,
      [creator.profileId],
    )
    expect(await read(id)).toBeUndefined()
    await world.query(
      `update private.profiles set suspended_at = null, suspension_reason = null, was_private = null where id = $1`,
      [creator.profileId],
    )
    await end(id)
    expect(await read(id)).toMatchObject({ status: 'missed' })
    await world.query(`update public.goals set closed_at = now() - interval '15 days' where id = $1`, [id])
    expect(await read(id)).toBeUndefined()
    expect(await read(id, giver)).toMatchObject({ title: 'New camera' })
    expect(await read(id, creator)).toMatchObject({ title: 'New camera' })
  })
})

describe('a tip toward a goal', () => {
  it('counts to the cent, once, with its refunds and disputes [OFFER-07]', async () => {
    const id = await create()
    expect(await quote(id)).toEqual({
      amount_cents: 1000,
      title: `Tip for ${creator.username} toward "New camera"`,
    })
    const first = await tip(id, 1234, fan, 'pi_goal')
    expect(await tip(id, 1234, fan, 'pi_goal')).toBe(first)
    const second = await tip(id, 801)
    await tip(undefined, 700)
    expect(await read(id)).toMatchObject({ progress: 2035 })
    await books.refund(second, 301)
    expect(await read(id)).toMatchObject({ progress: 1734 })
    await books.dispute(first, 'open', 1234)
    expect(await read(id)).toMatchObject({ progress: 500 })
    await books.dispute(first, 'won', 1234)
    expect(await read(id)).toMatchObject({ progress: 1734 })
    // The ledger has every cent of it.
    const [sum] = await world.query(
      `select sum(e.amount_cents)::int as cents from private.ledger_entries e
       join private.ledger_accounts a on a.id = e.account_id and a.code = 'stripe'
       join public.transactions t on t.ledger_transaction_id = e.transaction_id
       where coalesce(t.original_transaction_id, t.id) in (select id from public.transactions where goal_id = $1)`,
      [id],
    )
    expect(sum).toEqual({ cents: 1734 })
    expect((await world.as(creator, 'select message from public.notifications order by created_at'))[0]).toEqual({
      message: 'You earned $11.11 toward "New camera".',
    })
    const admin = await world.buildAdmin()
    const listed = await world.as(admin, 'select target from public.get_payments(search => $1)', [fan.username])
    expect(listed.filter(({ target }) => target === '"New camera"').length).toBeGreaterThanOrEqual(2)
  })

  it('is found to be wrong when progress isn’t what the ledger has [OFFER-07]', async () => {
    const id = await create()
    const crowd = await create({ kind: 'subscribers', target: 5 })
    await tip(id)
    await world.query('update public.goals set progress = progress + 1 where creator_id = $1', [creator.profileId])
    const wrong = await world.query(
      `select counter, kept::int, counted::int from private.verify_counters() where profile_id = $1 order by kept desc`,
      [creator.profileId],
    )
    expect(wrong).toEqual([
      { counter: 'goals.progress', kept: 1001, counted: 1000 },
      { counter: 'goals.progress', kept: 1, counted: 0 },
    ])
    await world.query('update public.goals set progress = progress - 1 where creator_id = $1', [creator.profileId])
    expect(await read(crowd)).toMatchObject({ progress: 0 })
  })

  it('isn’t taken for another creator’s goal, a goal for subscribers, or one that has ended [OFFER-07]', async () => {
    const rival = await world.buildCreator()
    const [id, others, crowd] = [
      await create(),
      await create({}, rival),
      await create({ kind: 'subscribers', target: 5 }),
    ]
    for (const goal of [others, crowd, randomUUID()])
      await expect(quote(goal)).rejects.toMatchObject({ code: 'PT404', message: 'Goal not found' })
    await pass(id, '1 second')
    await expect(quote(id)).rejects.toMatchObject({ code: 'PT409', message: 'This goal has ended' })
    // Payments that were started before are checked again, and go back.
    await end(id)
    for (const goal of [others, crowd, id, randomUUID()]) {
      const late = await tip(goal)
      expect(await books.tasks(late)).toEqual([{ kind: 'refund', done_at: null }])
    }
    expect(await read(id)).toMatchObject({ status: 'missed', progress: 0 })
    expect(await read(others, rival)).toMatchObject({ progress: 0 })
    expect(await world.as(fan, `select title from public.notifications limit 1`)).toEqual([
      { title: 'Your tip arrived too late' },
    ])
  })

  it('that was on its way when the goal ended still counts [OFFER-07]', async () => {
    const id = await create({ target: 1000 })
    await world.query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, goal_id, amount_cents, url) values ($1, 'tip', $2, $3, $4, 1000, 'u')`,
      [`cs_${id}`, fan.profileId, creator.profileId, id],
    )
    await pass(id)
    await close()
    // The page is closed, and the goal waits for what became of it.
    expect(await world.query('select kind from private.payment_tasks where target = $1', [`cs_${id}`])).toEqual([
      { kind: 'close_checkout' },
    ])
    expect(await read(id)).toMatchObject({ status: 'open' })
    await tip(id)
    expect(await read(id)).toMatchObject({ status: 'reached' })
    await pass(id, '61 minutes')
    await close()
    expect(await read(id)).toMatchObject({ status: 'reached', closed_progress: 1000 })
  })
})

describe('the result of a goal', () => {
  it('is reached exactly once, however many tips come at once, and its contributors are notified once [OFFER-07]', async () => {
    const id = await create({ target: 3000 })
    const fans = [fan, ...(await Promise.all(Array.from({ length: 5 }, () => world.buildPerson())))]
    await Promise.all(fans.map((one) => tip(id, 1000, one)))
    expect(await read(id)).toMatchObject({ status: 'reached', progress: 6000 })
    await announce()
    expect(await announce()).toBe(0)
    expect(await bells(creator)).toContainEqual({
      title: 'Goal reached: New camera',
      message: "You've reached $30.00.",
      data: { goal_id: id },
    })
    expect((await bells(creator)).filter(({ title }) => title === 'Goal reached: New camera')).toHaveLength(1)
    for (const one of fans)
      expect(await bells(one)).toEqual([
        {
          title: 'Goal reached: New camera',
          message: `You helped ${creator.username} reach $30.00. Thank you!`,
          data: { profile_id: creator.profileId },
        },
      ])
    // Tips go on until the end, and those who see that it was reached aren't notified of it.
    const late = await world.buildPerson()
    await tip(id, 1000, late)
    await end(id)
    expect(await read(id)).toMatchObject({ status: 'reached', closed_progress: 7000 })
    expect(await bells(late)).toEqual([])
    expect(await bells(fan)).toHaveLength(1)
    expect((await bells(creator)).at(-1)).toMatchObject({
      title: 'Goal ended: New camera',
      message: 'It ended at $70.00 of $30.00.',
    })
  })

  it('stays reached when the payment that reached it is disputed [OFFER-07]', async () => {
    const id = await create({ target: 1000, refunds: true })
    const small = await tip(id, 100)
    const large = await tip(id, 900)
    expect(await read(id)).toMatchObject({ status: 'reached' })
    await books.dispute(large, 'open', 900)
    await books.dispute(large, 'lost', 900)
    await end(id)
    expect(await read(id)).toMatchObject({ status: 'reached', progress: 100, closed_progress: 100 })
    expect(await books.tasks(small)).toEqual([]) // it was reached, so nothing is refunded
  })

  it('refunds each tip, once, when it was missed and that was promised [OFFER-07]', async () => {
    const id = await create({ refunds: true })
    const [whole, part, back, disputed, other] = [
      await tip(id),
      await tip(id),
      await tip(id),
      await tip(id),
      await tip(undefined),
    ]
    await books.refund(part, 400)
    await books.refund(back)
    await books.dispute(disputed, 'open')
    await pass(id)
    await Promise.all([close(), close()])
    await close()
    const refunds = async (payment: string) => (await books.tasks(payment)).filter(({ kind }) => kind === 'refund')
    for (const payment of [whole, part, disputed])
      expect(await refunds(payment)).toEqual([{ kind: 'refund', done_at: null }])
    for (const payment of [back, other]) expect(await refunds(payment)).toEqual([])
    await announce()
    expect(await bells(fan)).toMatchObject([
      {
        title: 'Goal missed: New camera',
        message: `${creator.username} reached $16.00 of $50.00. The tips toward it are refunded.`,
      },
    ])
    expect((await bells(creator)).at(-1)).toMatchObject({
      title: 'Goal missed: New camera',
      message: 'It ended at $16.00 of $50.00. As you promised, the tips toward it are refunded.',
    })
    await books.refund(whole)
    expect(await read(id)).toMatchObject({ status: 'missed', progress: 600, closed_progress: 1600 })
    // The bank rejected the refund, and then the fan lost the dispute: what was promised is due again.
    await world.query(
      `update private.payment_tasks set done_at = now() where transaction_id = $1 and kind = 'refund'`,
      [disputed],
    )
    await books.dispute(disputed, 'won')
    expect(await refunds(disputed)).toEqual([{ kind: 'refund', done_at: null }])
  })

  it('refunds nothing when it was missed without a promise [OFFER-07]', async () => {
    const id = await create()
    const payment = await tip(id)
    await end(id)
    expect(await books.tasks(payment)).toEqual([])
    expect(await bells(fan)).toMatchObject([
      {
        title: 'Goal missed: New camera',
        message: `${creator.username} reached $10.00 of $50.00. The goal promised no refunds, so ${creator.username} keeps the tips.`,
      },
    ])
  })

  it('comes to more contributors than fit in one batch', async () => {
    const id = await create()
    await world.query(
      `with accounts as (
         insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
         select 'm' || n || '@' || 'many.example', now(), jsonb_build_object('username', 'many_' || n, 'terms_accepted', true)
         from generate_series(1, 501) n returning id
       ) select count(*) from accounts`,
    )
    await world.query(
      `insert into private.goal_contributors (goal_id, fan_id) select $1, p.id from private.profiles p where p.username like 'many\\_%'`,
      [id],
    )
    await pass(id)
    await close()
    expect(await announce()).toBe(3)
    const [row] = await world.query(
      `select count(*)::int as notified, count(distinct user_id)::int as fans from public.notifications where data ->> 'profile_id' = $1`,
      [creator.profileId],
    )
    expect(row).toEqual({ notified: 501, fans: 501 })
  })
})

describe('a goal for subscribers', () => {
  it('counts all subscribers, and is reached once [OFFER-07]', async () => {
    await world.subscribe(await world.buildPerson(), creator)
    await expect(create({ kind: 'subscribers', target: 1 })).rejects.toMatchObject({
      code: 'PT409',
      message: 'You already have 1 subscriber',
    })
    const id = await create({ kind: 'subscribers', target: 3, title: 'Three' })
    expect(await read(id)).toMatchObject({ progress: 1 })
    const other = await world.buildPerson()
    await Promise.all([world.subscribe(fan, creator), world.subscribe(other, creator)])
    expect(await read(id)).toMatchObject({ status: 'reached', progress: 3 })
    await announce()
    for (const one of [fan, other])
      expect(await bells(one)).toMatchObject([
        { title: 'Goal reached: Three', message: `You helped ${creator.username} reach 3 subscribers. Thank you!` },
      ])
    await end(id)
    await world.subscribe(await world.buildPerson(), creator)
    expect(await read(id)).toMatchObject({ progress: 3, closed_progress: 3 })
  })

  it('thanks a fan who subscribed while the last subscription waited [OFFER-07]', async () => {
    const id = await create({ kind: 'subscribers', target: 2, title: 'Two' })
    const last = await world.buildPerson()
    await withClient(world.ownerUrl, async (waiting) => {
      await waiting.query('begin')
      await world.subscribe(fan, creator)
      await waiting.query(
        `select private.apply_subscription_state($1, $2, $3, $4, 'active', now(), now() + interval '30 days', null, false, null, now())`,
        [`sub_${randomUUID()}`, last.profileId, creator.profileId, creator.productId],
      )
      await waiting.query('commit')
    })
    expect(await read(id)).toMatchObject({ status: 'reached', progress: 2 })
    await announce()
    for (const one of [fan, last]) expect(await bells(one)).toMatchObject([{ title: 'Goal reached: Two' }])
  })

  it('that is missed says how many there were [OFFER-07]', async () => {
    const id = await create({ kind: 'subscribers', target: 10, title: 'Ten' })
    await world.subscribe(fan, creator)
    await end(id)
    expect(await bells(fan)).toMatchObject([
      { title: 'Goal missed: Ten', message: `${creator.username} reached 1 of 10 subscribers.` },
    ])
    expect((await bells(creator)).at(-1)).toMatchObject({ message: 'It ended at 1 of 10 subscribers.' })
  })

  it('misses no subscriber who comes while it is set', async () => {
    const coming = await world.begin(
      'service_role',
      [
        `select private.apply_subscription_state($1, $2, $3, $4, 'active', now(), now() + interval '30 days', null, false, null, now())`,
      ],
      [`sub_${randomUUID()}`, fan.profileId, creator.profileId, creator.productId],
    )
    const made = create({ kind: 'subscribers', target: 5 })
    await coming.commit()
    expect(await read(await made)).toMatchObject({ progress: 1 })
  })
})

describe('a goal whose people leave', () => {
  const remove = (person: Person) => world.as('service_role', 'select private.delete_account($1)', [person.userId])

  it('refunds what it promised when its creator closes the account [OFFER-07]', async () => {
    const [promised, kept, reached] = [
      await create({ refunds: true }),
      await create({ title: 'Kept' }),
      await create({ title: 'Done', target: 500, refunds: true }),
    ]
    const payments = [await tip(promised), await tip(kept), await tip(reached)]
    await remove(creator)
    const asked = await Promise.all(payments.map((payment) => books.tasks(payment)))
    expect(asked).toEqual([[{ kind: 'refund', done_at: null }], [], []])
    const closed = 'The creator closed their account.'
    const words = (await bells(fan)).map(({ title, message }) => `${title}. ${message}`)
    expect(words.toSorted()).toEqual([
      `Goal ended: Done. ${closed}`,
      `Goal ended: Kept. ${closed}`,
      `Goal ended: New camera. ${closed} The tips toward it are refunded.`,
    ])
  })

  it('keeps the tips of a fan who closes the account, and still refunds them [OFFER-07]', async () => {
    const id = await create({ refunds: true })
    const payment = await tip(id)
    await remove(fan)
    expect(await read(id)).toMatchObject({ progress: 1000 })
    await end(id)
    expect(await books.tasks(payment)).toEqual([{ kind: 'refund', done_at: null }])
  })
})

describe('a goal that an admin takes down', () => {
  it('refunds its tips, and says why [OFFER-07]', async () => {
    const admin = await world.buildAdmin()
    const id = await create({ target: 500 })
    const payment = await tip(id)
    await announce()
    await expect(call(admin, 'take_down_goal', [id, ' '])).rejects.toMatchObject({ code: 'PT422' })
    await expect(call(admin, 'take_down_goal', [randomUUID(), 'Fraud'])).rejects.toMatchObject({ code: 'PT404' })
    await call(admin, 'take_down_goal', [id, 'It sells weapons'])
    await expect(call(admin, 'take_down_goal', [id, 'Again'])).rejects.toMatchObject({ code: 'PT409' })
    await announce()
    expect(await books.tasks(payment)).toEqual([{ kind: 'refund', done_at: null }])
    expect(await read(id)).toBeUndefined()
    for (const one of [fan, creator, admin]) expect(await read(id, one)).toMatchObject({ status: 'removed' })
    expect((await bells(fan)).at(-1)).toMatchObject({
      title: 'Goal removed: New camera',
      message: `We removed this goal of ${creator.username}. The tips toward it are refunded.`,
    })
    expect((await bells(creator)).at(-1)).toMatchObject({
      title: 'Your goal was removed: New camera',
      message: 'It sells weapons\n\nThe tips toward it are refunded.',
    })
    await expect(quote(id)).rejects.toMatchObject({ code: 'PT404' })
    await expect(call(creator, 'delete_goal', [id])).rejects.toMatchObject({ code: 'PT409' })
    const [entry] = await world.query(`select action, details from public.audit_log where subject_id::text = $1`, [id])
    expect(entry).toEqual({ action: 'take_down_goal', details: { reason: 'It sells weapons' } })
  })
})
