import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  fan = await world.buildPerson()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
})

const save = (caller: Caller, columns: Record<string, unknown>, of: Person = creator) =>
  world.as(
    caller,
    `insert into public.message_settings (creator_id, ${Object.keys(columns).join(', ')})
     values ($1, ${Object.keys(columns).map((_column, index) => `$${index + 2}`)})
     on conflict (creator_id) do update set ${Object.keys(columns).map((column) => `${column} = excluded.${column}`)} returning *`,
    [of.profileId, ...Object.values(columns)],
  )
const away = { is_away: true, away_message: 'Back on Monday' }
const noticeFor = (caller: Caller, of: Person = creator) =>
  world.as(caller, 'select * from public.get_message_notice($1)', [of.profileId])
const shown = (away_until: Date | null = null) => [{ away_message: 'Back on Monday', away_until, reply_time: null }]

describe("a creator's away message", () => {
  it('is visible to fans and visitors from the moment it is on until it is off, and its text stays [PAGE-03]', async () => {
    expect(await noticeFor(fan)).toEqual([])
    await save(creator, { ...away, is_away: false })
    expect(await noticeFor(fan)).toEqual([])
    await save(creator, away)
    for (const caller of [fan, 'anon', creator] as const) expect(await noticeFor(caller)).toEqual(shown())
    expect(await save(creator, { is_away: false })).toMatchObject([{ away_message: 'Back on Monday' }])
    expect(await noticeFor(fan)).toEqual([])
  })

  it('ends by itself at the end date [PAGE-03]', async () => {
    const later = new Date(Date.now() + 86_400_000)
    await save(creator, { ...away, away_until: later })
    expect(await noticeFor(fan)).toEqual(shown(later))
    await save(creator, { away_until: new Date(Date.now() - 1000) })
    expect(await noticeFor(fan)).toEqual([])
  })

  it('keeps when the creator is or was away last, whatever else changes [PAGE-03]', async () => {
    const period = async () =>
      (
        await world.query(
          `select lower(away_period) as since, upper(away_period) as until from public.message_settings where creator_id = $1`,
          [creator.profileId],
        )
      )[0]
    const none = { since: null, until: null }
    await save(creator, { ...away, is_away: false })
    expect(await period()).toEqual(none)
    await save(creator, away)
    const first = await period()
    expect(first).toEqual({ since: expect.any(Date), until: null })
    const later = new Date(Date.now() + 86_400_000)
    await save(creator, { ...away, away_until: later, shows_reply_time: true })
    expect(await period()).toEqual({ since: first?.since, until: later })
    await save(creator, { is_away: false })
    const closed = await period()
    expect(closed).toEqual({ since: first?.since, until: expect.any(Date) })
    expect(Number(closed?.until)).toBeLessThan(Number(later))
    await save(creator, { shows_reply_time: false })
    expect(await period()).toEqual(closed)
    await save(creator, { ...away, away_until: null })
    expect(Number((await period())?.since)).toBeGreaterThan(Number(closed?.until))
  })

  it('is no message: it isn’t listed, counted, or notified [PAGE-03]', async () => {
    await save(creator, away)
    await noticeFor(fan)
    await world.as(fan, `insert into public.messages (sender_id, recipient_id, content) values ($1, $2, 'Hi')`, [
      fan.profileId,
      creator.profileId,
    ])
    expect(await world.as(fan, 'select content from public.get_thread($1)', [creator.profileId])).toEqual([
      { content: 'Hi' },
    ])
    expect(await world.as(fan, 'select unread_count from public.get_conversations()')).toEqual([{ unread_count: 0 }])
    expect(await world.as(fan, 'select from public.notifications')).toEqual([])
    expect(await world.query('select from public.transactions')).toEqual([])
  })

  it.each([
    ['an empty text', { is_away: true, away_message: ' \n' }, 'message_settings_away_message_length'],
    ['501 characters', { is_away: true, away_message: 'x'.repeat(501) }, 'message_settings_away_message_length'],
    ['no text', { is_away: true }, 'message_settings_away_message_required'],
  ])('needs up to 500 characters: %s is rejected [PAGE-03]', async (_what, columns, constraint) => {
    await expect(save(creator, columns)).rejects.toMatchObject({ code: '23514', constraint })
    expect(await save(creator, { ...away, away_message: 'x'.repeat(500) })).toHaveLength(1)
  })

  it('is visible only to those who can message the creator [PAGE-03, MSG-12, D39]', async () => {
    await save(creator, away)
    const [blocked, answered] = [await world.buildPerson(), await world.buildPerson()]
    await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      blocked.profileId,
    ])
    expect(await noticeFor(blocked)).toEqual([])

    await world.as(creator, `insert into public.messages (sender_id, recipient_id, content) values ($1, $2, 'Hello')`, [
      creator.profileId,
      answered.profileId,
    ])
    await world.as(creator, `update public.user_settings set privacy = '{"allowDirectMessages": false}'`)
    expect([await noticeFor(fan), await noticeFor('anon'), await noticeFor(answered)]).toEqual([[], [], shown()])
  })

  it('is hidden from visitors of a private profile, and from everyone after a suspension [PAGE-03, PROF-22]', async () => {
    await save(creator, away)
    await world.as(creator, 'update public.profiles set is_private = true where id = $1', [creator.profileId])
    expect([await noticeFor('anon'), await noticeFor(fan)]).toEqual([[], shown()])
    await world.as(await world.buildAdmin(), `select public.suspend_user($1, 'Spam')`, [creator.profileId])
    expect([await noticeFor('anon'), await noticeFor(fan)]).toEqual([[], []])
  })

  it('can be changed only by an approved creator, for themselves, and read by nobody else [PAGE-03]', async () => {
    const rival = await world.buildCreator()
    await save(creator, away)
    await expect(save(fan, away, fan)).rejects.toMatchObject(refused)
    await expect(save(rival, away, creator)).rejects.toMatchObject(refused)
    await world.as(rival, 'update public.message_settings set is_away = false')
    const read = 'select is_away from public.message_settings'
    expect([await world.as(creator, read), await world.as(rival, read), await world.as(fan, read)]).toEqual([
      [{ is_away: true }],
      [],
      [],
    ])
    await expect(world.as('anon', read)).rejects.toMatchObject(refused)
    await expect(world.as(creator, 'delete from public.message_settings')).rejects.toMatchObject(refused)
  })

  it('is hidden once the creator is no longer approved [PAGE-03, D25]', async () => {
    await save(creator, away)
    await world.query('update private.profiles set is_verified = false where id = $1', [creator.profileId])
    expect(await noticeFor(fan)).toEqual([])
    await expect(save(creator, away)).rejects.toMatchObject(refused)
  })
})
