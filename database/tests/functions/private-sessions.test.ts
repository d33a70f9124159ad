import {
  sessionDescriptionMaxLength,
  sessionHoldMinutes,
  sessionMaxMinutes,
  sessionMinMinutes,
  sessionMinPriceCents,
  sessionTitleMaxLength,
} from '@ovation/contract/limits'
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
let offer: string
let slot: string
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson({ meta: { display_name: 'Fay' } })
  offer = await buildOffer()
  slot = await buildSlot('3 days')
})
afterEach(async () => expect(await books.problems()).toEqual([]))

async function buildOffer(by: Person = creator): Promise<string> {
  const [row] = await world.as(
    by,
    `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ($1, 'A talk', 60, 5000) returning id`,
    [by.profileId],
  )
  return String(row?.id)
}
async function buildSlot(from: string, by: Caller = creator): Promise<string> {
  const [row] = await world.as(
    by,
    'insert into public.session_slots (offer_id, starts_at) values ($1, now() + $2::interval) returning id',
    [offer, from],
  )
  return String(row?.id)
}
const book = async (by: Person = fan, at = slot) =>
  (await world.as(by, 'select * from public.book_session($1)', [at]))[0] ?? {}
const step = async (by: Caller, name: string, booking: unknown) =>
  (await world.as(by, `select * from public.${name}_booking($1)`, [booking]))[0]
const row = async (id: unknown) => (await world.query('select * from public.session_bookings where id = $1', [id]))[0]
const isFree = async () =>
  (await world.as(fan, 'select held_until <= now() as free from public.session_slots where id = $1', [slot]))[0]?.free

/** Booked and paid: what the creator has to answer. */
async function buildRequest(by: Person = fan, at = slot) {
  const { id } = await book(by, at)
  const transaction = await books.paySession(by, creator, String(id), { gross: 5000 })
  return { id: String(id), transaction }
}
/** Moves the times of a booking, as if they had passed. */
const shift = (booking: string, by: string) =>
  world.query(
    `update public.session_bookings set starts_at = starts_at - $2::interval, ends_at = ends_at - $2::interval,
       hold_expires_at = hold_expires_at - $2::interval where id = $1`,
    [booking, by],
  )

describe('offers and slots', () => {
  it('are created by approved creators who can take payments [PRIV-02, D25]', async () => {
    await expect(buildOffer(fan)).rejects.toMatchObject({ code: 'PT403' })
    await world.query('update private.profiles set stripe_charges_enabled = false where id = $1', [creator.profileId])
    await expect(buildOffer()).rejects.toMatchObject({ code: 'PT409' })
    const other = await world.buildCreator()
    await expect(
      world.as(
        other,
        `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ($1, 'x', 60, 5000)`,
        [(await world.buildCreator()).profileId],
      ),
    ).rejects.toMatchObject(refused)
  })

  it.each([
    ['title', 'x'.repeat(sessionTitleMaxLength + 1)],
    ['title', ' '],
    ['description', 'x'.repeat(sessionDescriptionMaxLength + 1)],
    ['duration_minutes', sessionMinMinutes - 1],
    ['duration_minutes', sessionMaxMinutes + 1],
    ['price_cents', sessionMinPriceCents - 1],
  ])('limit %s [PRIV-08]', async (column, value) => {
    await expect(
      world.as(creator, `update public.session_offers set ${column} = $2 where id = $1`, [offer, value]),
    ).rejects.toMatchObject({ code: '23514' })
  })

  it('never overlap for one creator, also with concurrent inserts [PRIV-02]', async () => {
    await expect(buildSlot('3 days 30 minutes')).rejects.toMatchObject({
      code: '23P01',
      message: 'This time overlaps another of your slots',
    })
    await buildSlot('3 days 60 minutes') // one ends as the next begins
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => buildSlot('5 days')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it.each(['-1 minute', '400 days'])("can't start %s from now", async (from) => {
    await expect(buildSlot(from)).rejects.toMatchObject({ code: 'PT422' })
  })

  it('can be changed only by their creator', async () => {
    const stranger = await world.buildCreator()
    await expect(buildSlot('9 days', stranger)).rejects.toMatchObject(refused)
    expect(
      await world.as(stranger, 'update public.session_offers set price_cents = 100 where id = $1 returning id', [
        offer,
      ]),
    ).toEqual([])
    expect(await world.as(stranger, 'delete from public.session_slots where id = $1 returning id', [slot])).toEqual([])
    for (const table of ['session_offers', 'session_slots', 'session_bookings'])
      await expect(world.as('anon', `select from public.${table}`)).rejects.toMatchObject(refused)
  })

  it('are visible while active, unless the profile is private or blocked', async () => {
    const seen = async () => (await world.as(fan, 'select from public.session_slots where id = $1', [slot])).length
    expect(await seen()).toBe(1)
    await world.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    expect(await seen()).toBe(0)
    await world.query('update private.profiles set is_private = false where id = $1', [creator.profileId])
    await world.as(creator, 'update public.session_offers set is_active = false where id = $1', [offer])
    expect(await seen()).toBe(0)
    await expect(book()).rejects.toMatchObject({ code: 'PT404' })
    await expect(buildSlot('8 days')).rejects.toMatchObject({ code: 'PT409' })
    await world.as(creator, 'update public.session_offers set is_active = true where id = $1', [offer])
    await world.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      fan.profileId,
    ])
    expect(await seen()).toBe(0)
    await expect(book()).rejects.toMatchObject({ code: 'PT403' })
  })

  it("can't be deleted while booked [PRIV-02]", async () => {
    await book()
    await expect(world.as(creator, 'delete from public.session_slots where id = $1', [slot])).rejects.toMatchObject({
      code: 'PT409',
      message: 'This slot is booked',
    })
  })
})

describe('booking', () => {
  it('holds the slot at the price of the offer, once for a double click [PRIV-03]', async () => {
    const first = await book()
    expect(first).toMatchObject({ state: 'pending_payment', price_cents: 5000, title: 'A talk', fan_id: fan.profileId })
    expect(Number(first.hold_expires_at) - Number(first.created_at)).toBe(sessionHoldMinutes * 60_000)
    expect((await book()).id).toBe(first.id)
    expect(await isFree()).toBe(false)
    const [quote] = await world.as('service_role', 'select * from private.quote_session($1, $2)', [
      fan.profileId,
      first.id,
    ])
    expect(quote).toMatchObject({
      amount_cents: 5000,
      creator_id: creator.profileId,
      title: `A talk with ${creator.username}`,
    })
  })

  it('of one slot by many fans at the same time is one booking [PRIV-03]', async () => {
    const fans = await Promise.all(Array.from({ length: 8 }, () => world.buildPerson()))
    const outcomes = await Promise.allSettled(fans.map((person) => book(person)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'PT409', message: 'This slot is no longer available' })
    }
  })

  it('is rejected for own slots, past slots, and visitors', async () => {
    await expect(book(creator)).rejects.toMatchObject({ code: 'PT409' })
    await world.query(
      `update public.session_slots set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1`,
      [slot],
    )
    await expect(book()).rejects.toMatchObject({ code: 'PT409', message: 'This slot has passed' })
    await expect(world.as('anon', 'select public.book_session($1)', [slot])).rejects.toMatchObject(refused)
  })

  it('holds three slots at most', async () => {
    for (const from of ['6 days', '7 days', '8 days']) await book(fan, await buildSlot(from))
    await expect(book()).rejects.toMatchObject({
      code: 'PT409',
      message: "You're holding three unpaid slots",
    })
  })

  it('holds three slots at most, also with concurrent requests', async () => {
    const slots = await Promise.all(['6 days', '7 days', '8 days', '9 days'].map((from) => buildSlot(from)))
    const outcomes = await Promise.allSettled(slots.map((at) => book(fan, at)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  it("releases a slot that wasn't paid for in time to the next fan", async () => {
    const { id } = await book()
    await world.query(`update public.session_bookings set hold_expires_at = now() where id = $1`, [id])
    const next = await book(await world.buildPerson())
    expect(next).toMatchObject({ state: 'pending_payment' })
    expect(await row(id)).toMatchObject({ state: 'expired', closed_by: 'system' })
    await expect(
      world.as('service_role', 'select private.quote_session($1, $2)', [fan.profileId, id]),
    ).rejects.toMatchObject({ code: 'PT409' })
  })

  it('is written only by its functions [D24]', async () => {
    const { id } = await buildRequest()
    for (const caller of [fan, creator, await world.buildAdmin()]) {
      await expect(
        world.as(caller, `update public.session_bookings set state = 'accepted' where id = $1`, [id]),
      ).rejects.toMatchObject(refused)
      await expect(world.as(caller, 'delete from public.session_bookings where id = $1', [id])).rejects.toMatchObject(
        refused,
      )
    }
  })

  it('is visible only to the fan, the creator, and admins [PRIV-04]', async () => {
    const { id } = await buildRequest()
    const read = 'select state from public.session_bookings where id = $1'
    for (const caller of [fan, creator, await world.buildAdmin()])
      expect(await world.as(caller, read, [id])).toEqual([{ state: 'requested' }])
    expect(await world.as(await world.buildPerson(), read, [id])).toEqual([])
  })
})

describe('a payment', () => {
  it('turns the booking into a request once, and notifies the creator [PRIV-03, PRIV-07, NOTI-15]', async () => {
    const { id } = await book()
    const ids = await Promise.all(
      [1, 2, 3].map(() => books.paySession(fan, creator, String(id), { gross: 5000, cause: 'pi_talk' })),
    )
    expect(new Set(ids).size).toBe(1)
    expect(await row(id)).toMatchObject({ state: 'requested', transaction_id: ids[0] })
    expect(await books.earnings(creator)).toBe('4500')
    const told = await world.as(
      creator,
      `select message from public.notifications where title = 'Fay requested a session'`,
    )
    expect(String(told[0]?.message)).toMatch(/^A talk on .+ UTC\. Accept it to earn \$45\.00\.$/)
  })

  it('after the hold has expired counts while the slot is available, and is refunded otherwise', async () => {
    const late = String((await book()).id)
    await world.query('update public.session_bookings set hold_expires_at = now() where id = $1', [late])
    const other = await world.buildPerson()
    const theirs = String((await book(other)).id)
    const payment = await books.paySession(fan, creator, late, { gross: 5000 })
    expect(await row(late)).toMatchObject({ state: 'canceled', refund_status: 'requested' })
    expect(await books.tasks(payment)).toHaveLength(1)
    await step(other, 'cancel', theirs)
    const again = String((await book()).id)
    await world.query('update public.session_bookings set hold_expires_at = now() where id = $1', [again])
    await books.paySession(fan, creator, again, { gross: 5000 })
    expect(await row(again)).toMatchObject({ state: 'requested' })
  })

  it('made twice for one booking is refunded once', async () => {
    const { id, transaction } = await buildRequest()
    const second = await books.paySession(fan, creator, id, { gross: 5000 })
    expect(await row(id)).toMatchObject({ state: 'requested', transaction_id: transaction })
    expect(await books.tasks(second)).toHaveLength(1)
    expect(await books.tasks(transaction)).toEqual([])
  })
})

describe('the steps of a booking', () => {
  it('let the creator accept, both complete, and both cancel [PRIV-05]', async () => {
    for (const [n, party] of [fan, creator].entries()) {
      const held = await buildRequest(fan, await buildSlot(`${5 + 2 * n} days`))
      expect(await step(creator, 'accept', held.id)).toMatchObject({ state: 'accepted' })
      await shift(held.id, `${6 + 2 * n} days`)
      expect(await step(party, 'complete', held.id)).toMatchObject({ state: 'completed' })
      const unwanted = await buildRequest(fan, await buildSlot(`${6 + 2 * n} days`))
      expect(await step(party, 'cancel', unwanted.id)).toMatchObject({ state: 'canceled' })
    }
  })

  it('let only the creator accept [PRIV-05, NOTI-15, D41]', async () => {
    const { id } = await buildRequest()
    const stranger = await world.buildPerson()
    await expect(step(stranger, 'accept', id)).rejects.toMatchObject({ code: 'PT404' })
    for (const caller of [fan, await world.buildAdmin()])
      await expect(step(caller, 'accept', id)).rejects.toMatchObject(refused)
    await expect(step('anon', 'accept', id)).rejects.toMatchObject(refused)
    expect(await step(creator, 'accept', id)).toMatchObject({ state: 'accepted' })
    expect(await step(creator, 'accept', id)).toMatchObject({ state: 'accepted' })
    await expect(step(creator, 'decline', id)).rejects.toMatchObject({ code: 'PT409' })
    expect(
      await world.as(fan, 'select message from public.notifications where title = $1', [
        `${creator.username} accepted your session request`,
      ]),
    ).toEqual([{ message: expect.stringMatching(/^A talk on .+ UTC$/) }])
  })

  it('let the creator decline with a full refund [PRIV-06, NOTI-15, D41]', async () => {
    const { id, transaction } = await buildRequest()
    await expect(step(fan, 'decline', id)).rejects.toMatchObject(refused)
    expect(await step(creator, 'decline', id)).toMatchObject({
      state: 'declined',
      refund_status: 'requested',
      closed_by: 'creator',
    })
    expect(await books.tasks(transaction)).toEqual([{ kind: 'refund', done_at: null }])
    expect(await isFree()).toBe(true)
    expect(
      await world.as(fan, 'select message from public.notifications where title = $1', [
        `${creator.username} declined your session request`,
      ]),
    ).toEqual([{ message: expect.stringMatching(/^A talk on .+ UTC\. .*You'll get a full refund\.$/) }])
    await books.refund(transaction)
    expect(await row(id)).toMatchObject({ state: 'declined', refund_status: 'refunded' })
    expect(await books.earnings(creator)).toBe('0')
  })

  it('let the creator cancel at any time with a refund [PRIV-06, D41]', async () => {
    const { id, transaction } = await buildRequest()
    await step(creator, 'accept', id)
    await shift(id, '2 days 23 hours')
    expect(await step(creator, 'cancel', id)).toMatchObject({
      state: 'canceled',
      closed_by: 'creator',
      refund_status: 'requested',
    })
    expect(await books.tasks(transaction)).toHaveLength(1)
  })

  it('let the fan cancel until 24 hours before the start [PRIV-06, D41]', async () => {
    const { id, transaction } = await buildRequest()
    await step(creator, 'accept', id)
    await shift(id, '2 days 1 minute')
    await expect(step(fan, 'cancel', id)).rejects.toMatchObject({
      code: 'PT409',
      message: 'A session can be canceled until 24 hours before its start',
    })
    await shift(id, '-1 hour')
    expect(await step(fan, 'cancel', id)).toMatchObject({ state: 'canceled', closed_by: 'fan' })
    expect(await books.tasks(transaction)).toHaveLength(1)
    await expect(step(await world.buildPerson(), 'cancel', id)).rejects.toMatchObject({ code: 'PT404' })
  })

  it('let either side complete it after its end, and the job a day later [PRIV-05, D41]', async () => {
    const { id } = await buildRequest()
    await expect(step(creator, 'complete', id)).rejects.toMatchObject({ code: 'PT409' })
    await step(creator, 'accept', id)
    await expect(step(fan, 'complete', id)).rejects.toMatchObject({ code: 'PT409' })
    await shift(id, '3 days 2 hours')
    expect(await step(fan, 'complete', id)).toMatchObject({ state: 'completed', closed_by: 'fan' })
    await expect(step(creator, 'cancel', id)).rejects.toMatchObject({ code: 'PT409' })

    const second = await buildRequest(fan, await buildSlot('5 days'))
    await step(creator, 'accept', second.id)
    await shift(second.id, '6 days')
    await world.as('service_role', 'select private.settle_bookings()')
    expect(await row(second.id)).toMatchObject({ state: 'accepted' })
    await shift(second.id, '2 hours')
    await world.as('service_role', 'select private.settle_bookings()')
    expect(await row(second.id)).toMatchObject({ state: 'completed', closed_by: 'system' })

    const third = await buildRequest(fan, await buildSlot('7 days'))
    await step(creator, 'accept', third.id)
    await shift(third.id, '7 days 2 hours')
    expect(await step(creator, 'complete', third.id)).toMatchObject({ state: 'completed', closed_by: 'creator' })
  })

  it("refund a request that wasn't answered before the start", async () => {
    const { id, transaction } = await buildRequest()
    await shift(id, '3 days')
    await expect(step(creator, 'accept', id)).rejects.toMatchObject({ code: 'PT409' })
    await world.as('service_role', 'select private.settle_bookings()')
    expect(await row(id)).toMatchObject({ state: 'declined', closed_by: 'system', refund_status: 'requested' })
    expect(await books.tasks(transaction)).toHaveLength(1)
  })

  it('cancel a session whose payment was refunded', async () => {
    const { id, transaction } = await buildRequest()
    await step(creator, 'accept', id)
    await books.dispute(transaction, 'open', 5000)
    expect(await row(id)).toMatchObject({ state: 'canceled', closed_by: 'system', refund_status: 'refunded' })
  })

  it.each([1, 2, 3, 4, 5, 6])(
    'of steps at the same moment lets one count, and none waits in a circle (%i)',
    async () => {
      const { id, transaction } = await buildRequest()
      const outcomes = await Promise.allSettled([
        step(creator, 'accept', id),
        step(creator, 'decline', id),
        step(fan, 'cancel', id),
        books.refund(transaction),
        world.as('service_role', 'select private.settle_bookings()'),
      ])
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'PT409' })
      }
      expect(['declined', 'canceled']).toContain((await row(id))?.state)
      expect(await books.balance(creator)).toBe(0)
    },
  )
})

describe('a suspension', () => {
  const suspend = async (person: Person) =>
    world.as(await world.buildAdmin(), `select public.suspend_user($1, 'Spam')`, [person.profileId])
  const bellOf = (person: Person) =>
    world.query('select message from public.notifications where user_id = $1 and title = $2', [
      person.profileId,
      'Session canceled',
    ])

  it('of the creator cancels future sessions with a refund and notifies the fans [PRIV-06, D41, GEN-05]', async () => {
    const { id, transaction } = await buildRequest()
    await step(creator, 'accept', id)
    const unanswered = await buildRequest(fan, await buildSlot('5 days'))
    const held = await book(fan, await buildSlot('6 days'))
    const past = await buildRequest(fan, await buildSlot('7 days'))
    await step(creator, 'accept', past.id)
    await shift(past.id, '7 days 2 hours')
    await suspend(creator)
    for (const booking of [id, unanswered.id])
      expect(await row(booking)).toMatchObject({
        state: 'canceled',
        closed_by: 'admin',
        reason: 'One of the accounts was suspended',
        refund_status: 'requested',
      })
    expect(await row(held.id)).toMatchObject({ state: 'canceled', refund_status: 'none' })
    expect(await row(past.id)).toMatchObject({ state: 'accepted' }) // it took place
    for (const each of [transaction, unanswered.transaction])
      expect(await books.tasks(each)).toEqual([{ kind: 'refund', done_at: null }])
    const told = await bellOf(fan)
    expect(told).toHaveLength(2)
    for (const { message } of told) expect(message).toMatch(/suspended\. You'll get a full refund\.$/)

    await books.refund(transaction)
    await world.as(await world.buildAdmin(), 'select public.reinstate_user($1)', [creator.profileId])
    expect(await row(id)).toMatchObject({ state: 'canceled', refund_status: 'refunded' })
    expect(await books.earnings(creator)).toBe('9000') // what was not given back yet, and what took place
  })

  it('of the fan cancels their sessions, with a refund until 24 hours before the start [PRIV-06, D41]', async () => {
    const early = await buildRequest()
    const late = await buildRequest(fan, await buildSlot('5 days'))
    await step(creator, 'accept', late.id)
    await shift(late.id, '4 days 1 hour')
    await suspend(fan)
    expect(await row(early.id)).toMatchObject({ state: 'canceled', refund_status: 'requested' })
    expect(await row(late.id)).toMatchObject({ state: 'accepted', refund_status: 'none' })
    expect(await books.tasks(late.transaction)).toEqual([])
    expect((await bellOf(creator)).map(({ message }) => String(message))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/was suspended\.$/),
        expect.stringMatching(/You keep the payment\.$/),
      ]),
    )
  })

  it('keeps a later payment from booking the slot [PRIV-07]', async () => {
    const held = await book()
    await suspend(creator)
    const transaction = await books.paySession(fan, creator, String(held.id), { gross: 5000 })
    expect(await books.tasks(transaction)).toHaveLength(1)
    expect(await row(held.id)).toMatchObject({ state: 'canceled' })
  })

  it('or another cancellation by an admin is logged [DATA-25, GEN-44]', async () => {
    const admin = await world.buildAdmin()
    const { id } = await buildRequest()
    await step(admin, 'cancel', id)
    expect(
      await world.as(admin, 'select actor_id, action, before, after from public.audit_log where subject_id = $1', [id]),
    ).toEqual([
      { actor_id: admin.userId, action: 'close_booking', before: { state: 'requested' }, after: { state: 'canceled' } },
    ])
  })
})

describe('the call', () => {
  const topic = (booking: string) => `session:${booking}`
  const says = (by: Caller, name: string) =>
    world.as(by, `insert into realtime.messages (topic, extension) values ($1, 'broadcast')`, [name])
  const mayMeet = async (by: Caller, booking: string) =>
    (await world.as(by, 'select public.may_join_call($1) as may', [booking]))[0]?.may

  it('is open only to the fan and the creator, around the booked time [PRIV-02, GEN-35, D11]', async () => {
    const { id } = await buildRequest()
    await shift(id, '2 days 23 hours 50 minutes') // ten minutes before the start
    expect(await mayMeet(fan, id)).toBe(false) // not answered yet
    await step(creator, 'accept', id)
    for (const party of [fan, creator]) {
      expect(await mayMeet(party, id)).toBe(true)
      await says(party, topic(id))
    }
    for (const outsider of [await world.buildPerson(), await world.buildAdmin()]) {
      expect(await mayMeet(outsider, id)).toBe(false)
      await expect(says(outsider, topic(id))).rejects.toMatchObject(refused)
      expect(await world.as(outsider, 'select from realtime.messages where topic = $1', [topic(id)])).toEqual([])
    }
    await expect(says('anon', topic(id))).rejects.toMatchObject(refused)
    await expect(says(fan, `${topic(id)}:more`)).rejects.toMatchObject(refused)
    await shift(id, '1 hour 24 minutes') // its end was 14 minutes ago
    expect(await mayMeet(fan, id)).toBe(true)
    await shift(id, '2 minutes')
    expect(await mayMeet(fan, id)).toBe(false)
    await expect(says(fan, topic(id))).rejects.toMatchObject(refused)
  })

  it('is closed earlier than 15 minutes before, after a cancellation, and across a block', async () => {
    const { id } = await buildRequest()
    await step(creator, 'accept', id)
    await shift(id, '2 days 23 hours 44 minutes')
    expect(await mayMeet(fan, id)).toBe(false)
    await shift(id, '2 minutes')
    expect(await mayMeet(fan, id)).toBe(true)
    const block = [creator.profileId, fan.profileId]
    await world.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', block)
    expect(await mayMeet(fan, id)).toBe(false)
    await world.query('delete from public.blocks where blocker_id = $1 and blocked_id = $2', block)
    await step(creator, 'cancel', id)
    expect(await mayMeet(creator, id)).toBe(false)
  })

  it('is announced once to both within an hour before the start [NOTI-15]', async () => {
    const { id } = await buildRequest()
    await step(creator, 'accept', id)
    const told = (person: Person) =>
      world.as(
        person,
        `select data ->> 'booking_id' as id, data ->> 'profile_id' as who, data -> 'call' as call, title, message from public.notifications where title like '%starts within an hour'`,
      )
    await shift(id, '2 days 22 hours 58 minutes')
    await world.as('service_role', 'select private.remind_of_sessions()')
    expect(await told(fan)).toEqual([])
    await shift(id, '3 minutes')
    for (const _again of [1, 2]) await world.as('service_role', 'select private.remind_of_sessions()')
    expect(await told(fan)).toMatchObject([
      {
        id,
        who: creator.profileId,
        call: true,
        title: `Your session with ${creator.username} starts within an hour`,
        message: expect.stringMatching(/^A talk on .+ UTC$/),
      },
    ])
    expect(await told(creator)).toMatchObject([
      { id, who: fan.profileId, title: 'Your session with Fay starts within an hour' },
    ])
    await expect(world.as(fan, 'select private.remind_of_sessions()')).rejects.toMatchObject(refused)
  })
})
