import { migrate, migrationNames } from '@ovation/server/postgres/migrate'
import { createEmptyDatabase } from '@ovation/server/testing/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'
import { openCampaigns } from '../mass-messages.ts'

/** A creator with four subscribers, sorted by id as the job sends, in a database from before mass messages. */
let world: DatabaseFixture
let creator: Creator
let fans: Person[]
beforeAll(async () => {
  const database = await createEmptyDatabase()
  await migrate(database.ownerUrl, { only: migrationNames().indexOf('0081_mass_messages') })
  world = await openDatabaseFixture(database)
  creator = await world.buildCreator()
  fans = []
  for (let n = 0; n < 4; n += 1) fans.push(await world.buildPerson())
  fans.sort((one, other) => one.profileId.localeCompare(other.profileId))
  for (const fan of fans) await world.subscribe(fan, creator)
}, 120_000)
afterAll(() => world.close())

type Group = { group: string; body: string; price?: number; sentTo: readonly Person[]; finished: boolean }
/** A message to a group with the copies that the job has sent, each an ordinary message. @returns its id. */
async function message({ group, body, price = 0, sentTo, finished }: Group): Promise<string> {
  const [row] = await world.query(
    `insert into private.group_messages (creator_id, subscriber_group, body, price, position, sent_count, created_at, finished_at)
     values ($1, $2, $3, $4, $5, $6, now() - interval '2 hours', case when $7 then now() - interval '1 hour' end) returning id`,
    [creator.profileId, group, body, price, sentTo.at(-1)?.profileId ?? null, sentTo.length, finished],
  )
  for (const fan of sentTo)
    await world.query(
      'insert into private.messages (sender_id, recipient_id, body, is_paid, price) values ($1, $2, $3, $4, $5)',
      [creator.profileId, fan.profileId, body, price > 0, price],
    )
  return String(row?.id)
}

describe('messages to groups of subscribers from before mass messages', () => {
  it('are in the history, and one that was being sent reaches those who didn’t have it yet, once [MASS-03, MASS-06]', async () => {
    const [first, second] = fans as [Person, Person]
    const done = await message({ group: 'current', body: 'Done', sentTo: fans, finished: true })
    const half = await message({ group: 'all', body: 'Half', price: 500, sentTo: [first, second], finished: false })
    const ended = await message({ group: 'past', body: 'Ended', sentTo: [], finished: true })
    const ending = await message({ group: 'ending', body: 'Ending', sentTo: [], finished: true })
    expect(await migrate(world.ownerUrl)).toContain('0081_mass_messages')

    const campaigns = openCampaigns(world)
    const history = async () =>
      (await world.as(creator, `select * from public.get_mass_messages('history')`)).toSorted((one, other) =>
        String(one.content).localeCompare(String(other.content)),
      )
    const subscribed = { condition: 'subscribed', status: 'any' }
    const former = { condition: 'not_subscribed', before: 'ever' }
    const sent = { status: 'sent', price_cents: null, file_ids: [], scheduled_at: null, ends_at: null }
    expect(await history()).toMatchObject([
      { ...sent, id: done, content: 'Done', sent_count: 4, audience: { include: [subscribed] } },
      { ...sent, id: ended, content: 'Ended', sent_count: 0, audience: { include: [former] } },
      { ...sent, id: ending, content: 'Ending', sent_count: 0, audience: { include: [{ condition: 'renewal_off' }] } },
      {
        ...sent,
        id: half,
        status: 'sending',
        content: 'Half',
        price_cents: 500,
        sent_count: 2,
        finished_at: null,
        audience: { include: [subscribed, former] },
      },
    ])
    // Their rules are still valid, so that they can be used again.
    for (const { audience } of await history())
      expect(await campaigns.compose(creator, { audience: audience as object })).toMatch(/-/)

    await campaigns.run()
    for (const fan of fans)
      expect(
        (await campaigns.thread(fan, creator)).map(({ content, is_locked, price }) => [content, is_locked, price]),
      ).toEqual([
        ['Done', false, 0],
        [null, true, 500],
      ])
    expect(await campaigns.show(creator, half)).toMatchObject({ status: 'sent', sent_count: 4, delivered: 2 })
    const [third] = fans.slice(2) as [Person]
    await campaigns.buy(third, creator, half)
    expect(await campaigns.show(creator, half)).toMatchObject({ purchased: 1, earned_cents: '450' })
    expect((await campaigns.thread(third, creator)).at(-1)).toMatchObject({ content: 'Half', is_locked: false })
    expect(await campaigns.problems()).toEqual([])
  })
})
