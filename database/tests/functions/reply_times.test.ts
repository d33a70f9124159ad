import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  await world.as(creator, 'insert into public.message_settings (creator_id, shows_reply_time) values ($1, true)', [
    creator.profileId,
  ])
})

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const now = Date.now()
/** A message that was sent some seconds ago. */
const write = (from: Person, to: Person, secondsAgo: number) =>
  world.query(`insert into private.messages (sender_id, recipient_id, body, created_at) values ($1, $2, 'Words', $3)`, [
    from.profileId,
    to.profileId,
    new Date(now - secondsAgo * 1000),
  ])
/** A new fan writes, and the creator replies after each of these. */
async function reply(...waits: number[]): Promise<void> {
  for (const wait of waits) {
    const fan = await world.buildPerson()
    await write(fan, creator, wait + hour)
    await write(creator, fan, hour)
  }
}
const waits = async () =>
  (
    await world.query('select seconds from private.reply_times where creator_id = $1 order by id', [creator.profileId])
  ).map(({ seconds }) => seconds)
const shown = async () =>
  (await world.as('anon', 'select reply_time from public.get_message_notice($1)', [creator.profileId]))[0]?.reply_time
const own = async () => (await world.as(creator, 'select public.get_own_reply_time() as reply_time'))[0]?.reply_time

describe('a reply time', () => {
  it('is measured from the first unanswered message to the first reply [PAGE-03]', async () => {
    const fan = await world.buildPerson()
    await write(fan, creator, 10 * hour)
    await write(fan, creator, 9 * hour)
    await write(creator, fan, 8 * hour)
    await write(creator, fan, 7 * hour)
    await write(fan, creator, 6 * hour)
    await write(creator, fan, 5 * hour)
    expect(await waits()).toEqual([2 * hour, hour])
  })

  it("isn't measured for a first message, for a message to many, or for a fan [PAGE-03]", async () => {
    const fan = await world.buildPerson()
    await write(creator, fan, 3 * hour)
    await write(fan, creator, 2 * hour)
    expect(await world.query('select from private.reply_times where creator_id = $1', [fan.profileId])).toEqual([])
    await world.subscribe(fan, creator)
    await world.as(creator, `select public.message_subscribers('Hello all', 0)`)
    await world.as('service_role', 'select private.send_mass_messages()')
    expect(await world.query(`select from private.messages where mass_message_id is not null`)).toHaveLength(1)
    expect(await waits()).toEqual([])
  })

  it("isn't measured for a message that arrived while the creator was away [PAGE-03]", async () => {
    const [before, during, after] = [await world.buildPerson(), await world.buildPerson(), await world.buildPerson()]
    const away = (is_away: boolean, since: number, until: number | null) =>
      world.query(
        `update public.message_settings set is_away = $2, away_message = 'On a boat', away_period = tstzrange($3, $4) where creator_id = $1`,
        [
          creator.profileId,
          is_away,
          new Date(now - since * 1000),
          until === null ? null : new Date(now - until * 1000),
        ],
      )
    await write(before, creator, 10 * hour)
    await write(during, creator, 5 * hour)
    await write(after, creator, 2 * hour)
    await world.query('alter table public.message_settings disable trigger message_settings_keep_away_period')
    await away(false, 9 * hour, 3 * hour)
    await world.query('alter table public.message_settings enable trigger message_settings_keep_away_period')
    for (const fan of [before, during, after]) await write(creator, fan, hour)
    expect(await waits()).toEqual([9 * hour, hour])
  })

  it('is deleted after 30 days, by the job or with the account, and not kept for an older message [PAGE-03]', async () => {
    await reply(minute, minute)
    await world.query(
      `update private.reply_times set replied_at = now() - interval '31 days'
       where id = (select min(id) from private.reply_times where creator_id = $1)`,
      [creator.profileId],
    )
    await world.as('service_role', 'select private.forget_reply_times()')
    expect(await waits()).toEqual([minute])
    const fan = await world.buildPerson()
    await write(fan, creator, 40 * day)
    await write(creator, fan, 39 * day)
    expect(await waits()).toEqual([minute])
    await world.as('service_role', 'select private.delete_account($1)', [creator.userId])
    expect(await waits()).toEqual([])
  })
})

describe('how soon a creator usually replies', () => {
  it.each([
    ['hour', [minute, 59 * minute, hour, 5 * day, 6 * day]],
    ['few_hours', [minute, minute, hour + 1, 20 * hour, day]],
    ['few_hours', [6 * hour, 6 * hour, 6 * hour, 6 * hour, 6 * hour]],
    ['day', [hour, hour, 7 * hour, 9 * hour, 2 * day, 30 * hour]],
    ['few_days', [day + 1, day + 1, day + 1, 3 * day, 2 * day]],
    [undefined, [5 * day, 5 * day, 5 * day, minute, minute]],
    [undefined, [minute, minute, minute, minute]],
  ])('is %s: the median of %j seconds, of five or more [PAGE-03]', async (expected, seconds) => {
    await reply(...seconds)
    expect(await shown()).toBe(expected)
    expect(await own()).toBe(expected ?? null)
  })

  it('counts only the last 30 days, and the last 200 [PAGE-03]', async () => {
    await world.query(
      `insert into private.reply_times (creator_id, replied_at, seconds)
       select $1, now() - make_interval(hours => n), case when n <= 200 then 60 else 86400 end from generate_series(1, 700) n`,
      [creator.profileId],
    )
    expect(await shown()).toBe('hour')
    await world.query(
      `update private.reply_times set replied_at = replied_at - interval '25 days' where creator_id = $1`,
      [creator.profileId],
    )
    expect(await shown()).toBe('hour') // 120 are left
    await world.query(
      `update private.reply_times set replied_at = replied_at - interval '5 days' where creator_id = $1`,
      [creator.profileId],
    )
    expect(await shown()).toBeUndefined()
  })

  it('is hidden while the creator is away or has it off, but not from themselves [PAGE-03]', async () => {
    await reply(...Array.from({ length: 5 }, () => minute))
    expect(await shown()).toBe('hour')
    await world.as(creator, `update public.message_settings set is_away = true, away_message = 'On a boat'`)
    expect(await shown()).toBeNull()
    await world.as(creator, 'update public.message_settings set is_away = false, shows_reply_time = false')
    expect([await shown(), await own()]).toEqual([undefined, 'hour'])
    await expect(world.as('anon', 'select public.get_own_reply_time()')).rejects.toMatchObject(refused)
  })

  it('reads one range of an index, of at most 200 entries [PAGE-03]', async () => {
    await world.query(
      `insert into private.reply_times (creator_id, replied_at, seconds)
       select $1, now() - make_interval(mins => n), n from generate_series(1, 3000) n`,
      [creator.profileId],
    )
    await world.query('vacuum analyze private.reply_times')
    const plans = await world.plansOf(`select private.usual_reply_time('${creator.profileId}')`, {
      'auto_explain.log_analyze': 'on',
    })
    expect(plans.join('\n')).toMatch(/Index Only Scan using reply_times_newest_idx .*rows=200(?:\.00)? loops=1/)
  })
})
