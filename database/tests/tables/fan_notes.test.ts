import { randomUUID } from 'node:crypto'
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
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan] = [await world.buildCreator(), await world.buildPerson()]
})

const save = (columns: Record<string, unknown>, caller: Caller = creator) =>
  world.as(
    caller,
    `insert into public.fan_notes (creator_id, fan_id, ${Object.keys(columns).join(', ')})
     values ($1, $2, ${Object.keys(columns).map((_column, index) => `$${index + 3}`)})
     on conflict (creator_id, fan_id) do update set ${Object.keys(columns).map((column) => `${column} = excluded.${column}`)} returning *`,
    [creator.profileId, fan.profileId, ...Object.values(columns)],
  )
const sheet = async (caller: Caller = creator, of = fan.profileId) =>
  (await world.as(caller, 'select * from public.get_fan_sheet($1)', [of]))[0]
const tip = (cents: number, days = 0) =>
  world.query(`select private.post_tip($1, $2, $3, $4, 0, 'usd', now() - make_interval(days => $5)) as id`, [
    `pi_${randomUUID()}`,
    fan.profileId,
    creator.profileId,
    cents,
    days,
  ])

describe("a creator's notes about a fan", () => {
  it('are a note, tags, and a name, which only the creator sees [LIST-03]', async () => {
    const notes = { custom_name: 'Len', tags: ['early bird', 'Oslo'], note: 'Likes the harbor' }
    expect(await save(notes)).toMatchObject([notes])
    expect(await save({ note: null })).toMatchObject([{ ...notes, note: null }])
    for (const caller of [fan, await world.buildCreator(), await world.buildAdmin()])
      expect(await world.as(caller, 'select * from public.fan_notes')).toEqual([])
    await expect(world.as('anon', 'select * from public.fan_notes')).rejects.toMatchObject(refused)
  })

  it('end with either account [LIST-03]', async () => {
    await save({ note: 'Kind' })
    await world.query('select private.delete_account($1, $1)', [fan.userId])
    expect(await world.as(creator, 'select * from public.fan_notes')).toEqual([])
  })

  it.each([
    ['a note of 2,001 characters', { note: 'x'.repeat(2001) }, 'fan_notes_note_length'],
    ['a blank note', { note: ' \n' }, 'fan_notes_note_length'],
    ['a name of 51 characters', { custom_name: 'x'.repeat(51) }, 'fan_notes_custom_name_format'],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, index) => `tag ${index}`) }, 'fan_notes_tags_format'],
    ['a tag of 31 characters', { tags: ['x'.repeat(31)] }, 'fan_notes_tags_format'],
    ['a tag twice', { tags: ['Oslo', 'oslo'] }, 'fan_notes_tags_format'],
    ['a tag with a comma', { tags: ['a, b'] }, 'fan_notes_tags_format'],
    ['an empty tag', { tags: [''] }, 'fan_notes_tags_format'],
    ['a missing tag', { tags: [null] }, 'fan_notes_tags_format'],
  ])("can't have %s [LIST-03]", async (_what, columns, constraint) => {
    await expect(save(columns)).rejects.toMatchObject({ constraint })
  })

  it('are for creators, about other users [LIST-03]', async () => {
    const person = await world.buildPerson()
    const write = (who: Person, about: Person) =>
      world.as(who, `insert into public.fan_notes (creator_id, fan_id, note) values ($1, $2, 'Kind')`, [
        who.profileId,
        about.profileId,
      ])
    await expect(write(person, fan)).rejects.toMatchObject(refused)
    await expect(write(creator, creator)).rejects.toMatchObject({ constraint: 'fan_notes_not_self' })
  })
})

describe('the fan sheet', () => {
  it('shows what the fan has paid, in total, lately, and for what [LIST-04]', async () => {
    expect(await sheet()).toMatchObject({ spent: '0', spent_by_type: {}, purchases: 0, plan_name: null })
    await tip(500)
    await tip(700, 40)
    expect(await sheet()).toMatchObject({
      profile_id: fan.profileId,
      spent: '1200',
      spent_in_30_days: '500',
      spent_by_type: { tip: 1200 },
      subscription_status: null,
      followed_at: expect.any(Date),
    })
  })

  it('shows the latest subscription that was paid, and when it is renewed or ended [LIST-04]', async () => {
    const subscription = await world.subscribe(fan, creator)
    const inDays = (date: unknown) => Math.round((Number(date) - Date.now()) / 86_400_000) + 0
    const state = async () => {
      const { subscription_status: status, runs_until } = (await sheet()) ?? {}
      return [status, runs_until && inDays(runs_until)]
    }
    expect(await state()).toEqual(['active', 30])
    // As after a refund, in the middle of the period.
    await world.query(`select private.end_subscription($1, 'Refunded')`, [subscription])
    expect(await state()).toEqual(['canceled', 0])
    await world.subscribe(fan, creator, { status: 'incomplete' })
    expect(await state()).toEqual(['canceled', 0])
    await world.subscribe(fan, creator, { start: '-30 days', end: '0 days', status: 'past_due' })
    expect(await state()).toEqual(['past_due', null])
  })

  it('counts paid messages, and how many are unlocked [LIST-04]', async () => {
    const send = async () =>
      (
        await world.as(
          creator,
          `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'Hi', true, 500) returning id`,
          [creator.profileId, fan.profileId],
        )
      )[0]?.id
    await send()
    await world.as('service_role', 'insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
      await send(),
      fan.profileId,
    ])
    expect(await sheet()).toMatchObject({ paid_messages: 2, unlocked_messages: 1 })
  })

  it('is empty for others, and of yourself, and hides when the fan was last there if the fan does [LIST-04]', async () => {
    for (const caller of [fan, await world.buildPerson()])
      expect(await sheet(caller, creator.profileId)).toBeUndefined()
    expect(await sheet(creator, creator.profileId)).toBeUndefined()
    expect(await sheet(creator, randomUUID())).toBeUndefined()
    await world.query(
      'insert into private.presence (profile_id, last_seen_at) values ($1, now()) on conflict do nothing',
      [fan.profileId],
    )
    await world.as(fan, 'update public.user_settings set privacy = $1', [JSON.stringify({ showOnlineStatus: false })])
    expect(await sheet()).toMatchObject({ last_seen_at: null })
  })
})
