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
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
  offer = await buildOffer(60)
})
afterEach(async () => expect(await books.problems()).toEqual([]))

type Hours = { start: string; end: string }[]
const hours = (...spans: string[]): Hours => spans.map((span) => ({ start: span.slice(0, 5), end: span.slice(6) }))
const everyDay = (...spans: string[]) => Array.from({ length: 7 }, () => hours(...spans))

async function buildOffer(minutes: number): Promise<string> {
  const [row] = await world.as(
    creator,
    `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ($1, 'A talk', $2, 5000) returning id`,
    [creator.profileId, minutes],
  )
  return String(row?.id)
}

type Settings = { zone?: string; weekly?: unknown; buffer?: number; notice?: number; horizon?: number }
const setHours = ({ zone = 'UTC', weekly = everyDay('09:00-12:00'), buffer = 0, notice = 0, horizon = 60 }: Settings) =>
  world.as(
    creator,
    `insert into public.session_availability (creator_id, time_zone, weekly, buffer_minutes, notice_hours, horizon_days)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (creator_id) do update set time_zone = excluded.time_zone, weekly = excluded.weekly,
       buffer_minutes = excluded.buffer_minutes, notice_hours = excluded.notice_hours, horizon_days = excluded.horizon_days`,
    [creator.profileId, zone, JSON.stringify(weekly), buffer, notice, horizon],
  )
const setDay = (day: string, spans: Hours, by: Caller = creator) =>
  world.as(by, 'insert into public.session_days (creator_id, day, hours) values ($1, $2, $3)', [
    creator.profileId,
    day,
    JSON.stringify(spans),
  ])

/** The times of one offer as a fan gets them. */
async function times(of = offer, by: Caller = fan): Promise<string[]> {
  const [row] = await world.as(by, 'select (public.get_session_times($1)).starts_at', [of])
  const starts = row?.starts_at as Date[] | undefined
  return (starts ?? []).map((time) => time.toISOString())
}
/** The times from a moment on, as UTC, up to `until`. */
async function timesFrom(now: string, until: string): Promise<string[]> {
  const rows = await world.query(
    `select t from public.session_offers o, private.session_starts(o, $2) t where o.id = $1 and t < $3 order by t`,
    [offer, now, until],
  )
  return rows.map(({ t }) => (t as Date).toISOString().slice(5, 16))
}
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const at = (days: number, clock: string) => `${day(days)}T${clock}:00.000Z`
const on = (list: string[], days: number) =>
  list.filter((one) => one.startsWith(day(days))).map((one) => one.slice(11, 16))
const book = async (start: string, by: Person = fan, of = offer) =>
  (await world.as(by, 'select * from public.book_session_time($1, $2)', [of, start]))[0] ?? {}
const step = (by: Caller, name: string, booking: unknown) =>
  world.as(by, `select * from public.${name}_booking($1)`, [booking])
const slotOf = async (booking: unknown) =>
  String((await world.query('select slot_id from public.session_bookings where id = $1', [booking]))[0]?.slot_id)
const expire = (booking: unknown) =>
  world.query('update public.session_bookings set hold_expires_at = now() where id = $1', [booking])

describe('the hours of a creator', () => {
  it('give the times of each day, every half hour while the session fits [LOOP-25]', async () => {
    await setHours({ weekly: everyDay('09:00-11:00', '14:00-15:30') })
    expect(on(await times(), 3)).toEqual(['09:00', '09:30', '10:00', '14:00', '14:30'])
    expect(on(await times(await buildOffer(15)), 3)).toHaveLength(14)
    expect(on(await times(await buildOffer(120)), 3)).toEqual(['09:00'])
  })

  it('differ by weekday, from Monday, and end with the day at the latest [LOOP-25]', async () => {
    await setHours({ weekly: [hours('22:00-24:00'), [], [], [], [], [], hours('00:00-01:00')] })
    // November 29, 2026 is a Sunday.
    expect(await timesFrom('2026-11-28T12:00Z', '2026-12-06T00:00Z')).toEqual([
      '11-29T00:00',
      '11-30T22:00',
      '11-30T22:30',
      '11-30T23:00',
    ])
  })

  it('are those of an exception on its day, or none at all [LOOP-25]', async () => {
    await setHours({})
    await setDay(day(3), [])
    await setDay(day(4), hours('18:00-19:00'))
    const list = await times()
    expect([on(list, 3), on(list, 4), on(list, 5)]).toEqual([
      [],
      ['18:00'],
      ['09:00', '09:30', '10:00', '10:30', '11:00'],
    ])
  })

  it('begin after the notice period and end at the horizon [LOOP-25]', async () => {
    await setHours({ weekly: everyDay('00:00-24:00'), notice: 48, horizon: 5 })
    const list = await times()
    expect(Date.parse(list[0] ?? '') - Date.now()).toBeGreaterThan(48 * 3_600_000 - 60_000)
    expect(Date.parse(list[0] ?? '') - Date.now()).toBeLessThan(49 * 3_600_000)
    expect(list.at(-1)).toBe(at(5, '23:00'))
  })

  it.each([
    ['no list', '{}'],
    ['six days', JSON.stringify(everyDay('09:00-10:00').slice(1))],
    ['overlapping hours', JSON.stringify(everyDay('09:00-10:00', '09:30-11:00'))],
    ['hours in the wrong order', JSON.stringify(everyDay('12:00-13:00', '09:00-10:00'))],
    ['an end before the start', JSON.stringify(everyDay('10:00-09:00'))],
    ['no time', JSON.stringify(everyDay('25:00-26:00'))],
    ['a start at the end of the day', JSON.stringify(everyDay('24:00-24:00'))],
    ['other members', JSON.stringify(Array(7).fill([{ start: '09:00', end: '10:00', note: 'x' }]))],
    ['text', JSON.stringify(Array(7).fill(['09:00-10:00']))],
    ['too many', JSON.stringify(Array(7).fill(hours(...Array.from({ length: 9 }, (_, n) => `0${n}:00-0${n}:30`))))],
    ['null', JSON.stringify(Array(7).fill(null))],
  ])('are rejected when they are %s [LOOP-25]', async (_what, weekly) => {
    await expect(setHours({ weekly: JSON.parse(weekly) })).rejects.toMatchObject({ code: '23514' })
  })

  it('are rejected in an unknown time zone, or with other settings out of range [LOOP-25]', async () => {
    await expect(setHours({ zone: 'Mars/Olympus' })).rejects.toMatchObject({ code: '23503' })
    await expect(setHours({ buffer: 241 })).rejects.toMatchObject({ code: '23514' })
    await expect(setHours({ notice: 337 })).rejects.toMatchObject({ code: '23514' })
    await expect(setHours({ horizon: 121 })).rejects.toMatchObject({ code: '23514' })
    await expect(setDay(day(-3), [])).rejects.toMatchObject({ code: 'PT422' })
    await expect(setDay(day(370), [])).rejects.toMatchObject({ code: 'PT422' })
  })

  it('are written and read by their creator alone [LOOP-25]', async () => {
    await setHours({})
    await setDay(day(3), [])
    const stranger = await world.buildCreator()
    for (const table of ['session_availability', 'session_days']) {
      expect(await world.as(creator, `select from public.${table}`)).toHaveLength(1)
      for (const other of [fan, stranger]) expect(await world.as(other, `select from public.${table}`)).toEqual([])
      await expect(world.as('anon', `select from public.${table}`)).rejects.toMatchObject(refused)
    }
    await expect(setDay(day(4), [], stranger)).rejects.toMatchObject(refused)
    expect(await world.as(stranger, 'delete from public.session_days returning day')).toEqual([])
    await expect(
      world.as(fan, `insert into public.session_availability (creator_id, time_zone) values ($1, 'UTC')`, [
        fan.profileId,
      ]),
    ).rejects.toMatchObject(refused)
  })

  it('show no times of an inactive offer, a private profile, or across a block [LOOP-25]', async () => {
    await setHours({})
    await expect(world.as('anon', 'select public.get_session_times($1)', [offer])).rejects.toMatchObject(refused)
    const hidden = async () => {
      await expect(times()).rejects.toMatchObject({ code: 'PT404' })
      await expect(book(at(3, '09:00'))).rejects.toMatchObject({ code: expect.stringMatching(/^PT40[34]$/) })
    }
    await world.as(creator, 'update public.session_offers set is_active = false where id = $1', [offer])
    await hidden()
    await world.as(creator, 'update public.session_offers set is_active = true where id = $1', [offer])
    await world.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    await hidden()
    await world.query('update private.profiles set is_private = false where id = $1', [creator.profileId])
    await world.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      fan.profileId,
    ])
    await hidden()
  })
})

describe('a change of the clocks', () => {
  it.each([
    {
      what: 'skips 2:00 to 3:00 in Berlin',
      zone: 'Europe/Berlin',
      date: '2027-03-28',
      list: ['03-28T00:00', '03-28T01:00', '03-28T01:30'], // 1:00, 3:00, and 3:30; 1:30 would end at 3:30
      spans: ['01:00-03:00', '03:00-04:30'],
    },
    {
      what: 'repeats 2:00 to 3:00 in Berlin',
      zone: 'Europe/Berlin',
      date: '2026-10-25',
      list: ['10-24T23:00', '10-24T23:30', '10-25T00:00', '10-25T01:00', '10-25T02:00'],
      spans: ['01:00-03:00', '03:00-04:00'],
    },
    {
      what: 'repeats 1:00 to 2:00 in New York in 2026',
      zone: 'America/New_York',
      date: '2026-11-01',
      list: ['11-01T05:00', '11-01T06:00'],
      spans: ['01:00-02:00'],
    },
    {
      what: 'repeats 1:00 to 2:00 in New York in 2027',
      zone: 'America/New_York',
      date: '2027-11-07',
      list: ['11-07T05:00', '11-07T05:30', '11-07T06:00', '11-07T06:30', '11-07T07:00'],
      spans: ['01:00-03:00'],
    },
    {
      what: 'skips half an hour on Lord Howe Island',
      zone: 'Australia/Lord_Howe',
      date: '2026-10-04',
      list: ['10-03T15:30'], // 2:30; 1:30 would end at 3:00
      spans: ['01:30-02:30', '02:30-03:30'],
    },
    {
      what: 'skips midnight in Beirut',
      zone: 'Asia/Beirut',
      date: '2027-03-28',
      list: ['03-27T22:00'],
      spans: ['00:00-02:00'],
    },
  ])('$what [LOOP-25]', async ({ zone, date, spans, list }) => {
    await setHours({ zone, weekly: everyDay() })
    // Exceptions are limited to the year to come, and these dates stay.
    await world.query(`alter table public.session_days disable trigger session_days_limit`)
    await setDay(date, hours(...spans))
    await world.query(`alter table public.session_days enable trigger session_days_limit`)
    const from = new Date(Date.parse(`${date}T00:00Z`) - 2 * 86_400_000).toISOString()
    expect(await timesFrom(from, new Date(Date.parse(from) + 5 * 86_400_000).toISOString())).toEqual(list)
  })

  it('leaves nine in the morning at nine in the morning [LOOP-25]', async () => {
    await setHours({ zone: 'Europe/Lisbon', weekly: everyDay('09:00-10:00') })
    expect(await timesFrom('2027-03-27T00:00Z', '2027-03-30T00:00Z')).toEqual([
      '03-27T09:00',
      '03-28T08:00',
      '03-29T08:00',
    ])
  })
})

describe('booking a time', () => {
  it('holds it, takes it and the break around it off the list, and gives a double click the same hold [PRIV-03, LOOP-25]', async () => {
    await setHours({ weekly: everyDay('09:00-14:00'), buffer: 30 })
    const other = await buildOffer(30)
    const first = await book(at(3, '11:00'))
    expect(first).toMatchObject({ state: 'pending_payment', title: 'A talk', price_cents: 5000, fan_id: fan.profileId })
    expect(first.starts_at).toEqual(new Date(at(3, '11:00')))
    expect(first.ends_at).toEqual(new Date(at(3, '12:00')))
    expect((await book(at(3, '11:00'))).id).toBe(first.id)
    expect(on(await times(), 3)).toEqual(['09:00', '09:30', '12:30', '13:00'])
    expect(on(await times(other), 3)).toEqual(['09:00', '09:30', '10:00', '12:30', '13:00', '13:30'])
    await books.paySession(fan, creator, String(first.id), { gross: 5000 })
    expect(on(await times(), 3)).toEqual(['09:00', '09:30', '12:30', '13:00'])
    await step(creator, 'decline', first.id)
    expect(on(await times(), 3)).toHaveLength(9)
  })

  it('is rejected for a time that is not on the list [LOOP-25]', async () => {
    await setHours({ notice: 24 })
    for (const start of [at(3, '08:00'), at(3, '09:10'), at(3, '11:30'), at(-1, '09:00'), at(70, '09:00')])
      await expect(book(start)).rejects.toMatchObject({ code: 'PT409', message: 'This time is no longer available' })
    await expect(book(at(3, '09:00'), creator)).rejects.toMatchObject({ code: 'PT409' })
    await expect(
      world.as('anon', 'select public.book_session_time($1, $2)', [offer, at(3, '09:00')]),
    ).rejects.toMatchObject(refused)
  })

  it('at the same moment, across offers and within the break, is one booking [LOOP-25]', async () => {
    await setHours({ buffer: 30 })
    const short = await buildOffer(30)
    const fans = await Promise.all(Array.from({ length: 6 }, () => world.buildPerson()))
    const outcomes = await Promise.allSettled(
      fans.map((person, n) => book(at(3, n % 2 ? '10:00' : '10:30'), person, n % 3 ? offer : short)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'PT409', message: 'This time is no longer available' })
    expect(
      await world.query('select from public.session_slots where creator_id = $1', [creator.profileId]),
    ).toHaveLength(1)
  })

  it('races with a slot that the creator opens, and one of the two wins [LOOP-25]', async () => {
    await setHours({})
    const open = () =>
      world.as(creator, 'insert into public.session_slots (offer_id, starts_at) values ($1, $2)', [
        offer,
        at(3, '10:30'),
      ])
    const outcomes = await Promise.allSettled([book(at(3, '10:00')), open()])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: expect.stringMatching(/PT409|23P01/) })
  })

  it('of a slot that the creator opened works as before, also without hours [LOOP-25, PRIV-02]', async () => {
    const open = async (start: string) =>
      String(
        (
          await world.as(
            creator,
            'insert into public.session_slots (offer_id, starts_at) values ($1, $2) returning id',
            [offer, start],
          )
        )[0]?.id,
      )
    const slot = await open(at(3, '20:10'))
    expect(await times()).toEqual([at(3, '20:10')])
    expect(await slotOf((await book(at(3, '20:10'))).id)).toBe(slot)
    expect(await times()).toEqual([])
    await setHours({ notice: 100 })
    await open(at(2, '10:15'))
    const list = await times()
    expect(list[0]).toBe(at(2, '10:15')) // inside the notice period, because the creator opened it
    await setHours({ notice: 0 })
    expect(on(await times(), 2)).toEqual(['09:00', '10:15']) // and the hours leave it alone
    expect(on(await times(await buildOffer(30)), 2)).toEqual(['09:00', '09:30', '11:30'])
  })

  it('leaves a slot that only its booking knows [LOOP-25]', async () => {
    await setHours({})
    const { id } = await book(at(3, '10:00'))
    const slot = await slotOf(id)
    expect(await world.as(fan, 'select from public.session_slots where id = $1', [slot])).toEqual([])
    await step(fan, 'cancel', id)
    // Once released, it can be booked again through the hours alone.
    await expect(world.as(fan, 'select public.book_session($1)', [slot])).rejects.toMatchObject({ code: 'PT404' })
    await setHours({ weekly: everyDay() })
    await expect(book(at(3, '10:00'))).rejects.toMatchObject({ code: 'PT409' })
  })

  it('takes over an expired hold, whose late payment is refunded [LOOP-25, PRIV-06]', async () => {
    await setHours({})
    const late = String((await book(at(3, '10:00'))).id)
    await expire(late)
    const next = await book(at(3, '10:30'), await world.buildPerson())
    expect(next).toMatchObject({ state: 'pending_payment' })
    expect((await world.query('select state, slot_id from public.session_bookings where id = $1', [late]))[0]).toEqual({
      state: 'expired',
      slot_id: null,
    })
    const payment = await books.paySession(fan, creator, late, { gross: 5000 })
    expect(await books.tasks(payment)).toHaveLength(1)
  })

  it('counts a late payment while nobody else has booked [LOOP-25, PRIV-07]', async () => {
    await setHours({})
    const late = String((await book(at(3, '10:00'))).id)
    await expire(late)
    await books.paySession(fan, creator, late, { gross: 5000 })
    expect((await world.query('select state from public.session_bookings where id = $1', [late]))[0]).toEqual({
      state: 'requested',
    })
    expect(on(await times(), 3)).toEqual(['09:00', '11:00'])
  })

  it('holds three times at most [LOOP-25]', async () => {
    await setHours({})
    for (const days of [3, 4, 5]) await book(at(days, '10:00'))
    await expect(book(at(6, '10:00'))).rejects.toMatchObject({
      code: 'PT409',
      message: "You're holding three unpaid slots",
    })
    // A rejected one leaves nothing behind.
    expect(
      await world.query('select from public.session_slots where creator_id = $1', [creator.profileId]),
    ).toHaveLength(3)
  })
})
