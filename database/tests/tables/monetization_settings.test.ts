import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

const save = (caller: Person, columns: Record<string, unknown>) =>
  world.as(
    caller,
    `insert into public.monetization_settings (creator_id, ${Object.keys(columns).join(', ')})
     values ($1, ${Object.keys(columns).map((_column, index) => `$${index + 2}`)})
     on conflict (creator_id) do update set ${Object.keys(columns).map((column) => `${column} = excluded.${column}`)} returning *`,
    [caller.profileId, ...Object.values(columns)],
  )
const quote = (cents: number) =>
  world.as('service_role', 'select amount_cents from private.quote_tip($1, $2, $3)', [
    fan.profileId,
    creator.profileId,
    cents,
  ])

describe("a creator's monetization settings [DASH-03, PROF-21, D28]", () => {
  it('accept any tip from $1.00 by default', async () => {
    expect(await quote(100)).toEqual([{ amount_cents: 100 }])
  })

  it('limit every tip, and accept only valid prices', async () => {
    const saved = {
      tip_min_cents: 500,
      tip_presets_cents: [500, 2000],
      ppv_price_cents: 1200,
      message_price_cents: null,
    }
    expect(await save(creator, saved)).toMatchObject([{ ...saved, takes_tips: true }])
    await expect(quote(499)).rejects.toMatchObject({
      code: 'PT400',
      message: 'The minimum tip for this creator is $5.00',
    })
    expect(await quote(500)).toEqual([{ amount_cents: 500 }])
    await save(creator, { takes_tips: false })
    await expect(quote(500)).rejects.toMatchObject({ code: 'PT409', message: "This creator doesn't accept tips" })
    expect(await world.as(fan, 'select takes_tips from public.monetization_settings')).toEqual([{ takes_tips: false }])
  })

  it.each([
    ['a price below a dollar', { ppv_price_cents: 99 }, 'monetization_ppv_price_range'],
    [
      'a price of a message beyond what a card takes',
      { message_price_cents: 1_000_000 },
      'monetization_message_price_range',
    ],
    ['a smallest tip above the largest', { tip_min_cents: 50_001 }, 'monetization_tip_min_range'],
    [
      'a suggestion below the smallest tip',
      { tip_min_cents: 1000, tip_presets_cents: [500] },
      'monetization_tip_presets',
    ],
    ['a suggestion above the largest tip', { tip_presets_cents: [50_001] }, 'monetization_tip_presets'],
    ['one suggestion twice', { tip_presets_cents: [500, 500] }, 'monetization_tip_presets'],
    ['no suggestion', { tip_presets_cents: [] }, 'monetization_tip_presets'],
    ['five suggestions', { tip_presets_cents: [100, 200, 300, 400, 500] }, 'monetization_tip_presets'],
    ['a suggestion of nothing', { tip_presets_cents: [500, null] }, 'monetization_tip_presets'],
  ])('refuses %s', async (_what, columns, constraint) => {
    await expect(save(await world.buildCreator(), columns)).rejects.toMatchObject({ code: '23514', constraint })
  })

  it('can be changed only by an approved creator, for themselves', async () => {
    await expect(save(fan, { takes_tips: false })).rejects.toMatchObject(refused)
    await save(creator, { takes_tips: false })
    const rival = await world.buildCreator()
    await expect(
      world.as(rival, 'insert into public.monetization_settings (creator_id) values ($1)', [creator.profileId]),
    ).rejects.toMatchObject(refused)
    await world.as(rival, 'update public.monetization_settings set takes_tips = true')
    expect(await world.as(fan, 'select takes_tips from public.monetization_settings')).toEqual([{ takes_tips: false }])
  })
})
