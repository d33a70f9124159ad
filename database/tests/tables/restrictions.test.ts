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
let other: Person
let admin: Person
let post: string
beforeAll(async () => {
  world = await openDatabaseFixture()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan, other] = [await world.buildCreator(), await world.buildPerson(), await world.buildPerson()]
  post = (await world.buildPost(creator)).id
})

const restrict = (caller: Caller = creator, whom = fan, is = true) =>
  world.as(caller, 'select public.restrict_fan($1, $2)', [whom.profileId, is])
const restrictedAmong = async (caller: Person, ...people: Person[]) =>
  (await world.as(caller, 'select public.restricted_among($1) as ids', [people.map(({ profileId }) => profileId)]))[0]
    ?.ids
const comment = async (author: Person, on = post) =>
  (
    await world.as(
      author,
      `insert into public.comments (post_id, user_id, content) values ($1, $2, 'Lovely') returning id`,
      [on, author.profileId],
    )
  )[0]?.id
const write = (sender: Person, recipient: Person, content = 'Hello') =>
  world.as(sender, 'insert into public.messages (sender_id, recipient_id, content) values ($1, $2, $3)', [
    sender.profileId,
    recipient.profileId,
    content,
  ])
/** How many comments a viewer sees, and how many the post says there are. */
const seen = async (caller: Caller, on = post) => {
  const [rows, [counted]] = [
    await world.as(caller, 'select from public.comments where post_id = $1', [on]),
    await world.as(caller, 'select comments_count from public.posts where id = $1', [on]),
  ]
  return [rows.length, counted?.comments_count]
}
const bell = () => world.as(creator, 'select type, title from public.notifications where not is_read')
const shown = async (filter: string) =>
  (await world.as(creator, 'select other_id from public.get_conversations(filter => $1)', [filter])).map(
    ({ other_id }) => other_id,
  )
const unread = async () => (await world.as(creator, 'select public.count_unread_messages() as count'))[0]?.count
const counters = async () => [
  ...(await world.query('select * from private.verify_counters()')),
  ...(await world.query('select * from private.verify_conversations()')),
]

describe("a restricted fan's comments", () => {
  it('are seen and counted only by the creator, the fan, and admins, before and after [LIST-05]', async () => {
    for (const author of [fan, fan, other]) await comment(author)
    expect(await seen('anon')).toEqual([3, 3])
    await restrict()
    await comment(fan)
    for (const viewer of [creator, fan, admin, 'service_role'] as const) expect(await seen(viewer)).toEqual([4, 4])
    for (const viewer of [other, 'anon', await world.buildCreator()] as const)
      expect(await seen(viewer)).toEqual([1, 1])
    const gone = await comment(fan)
    await world.as(fan, 'delete from public.comments where id = $1', [gone])
    expect([await seen('anon'), await seen(fan)]).toEqual([
      [1, 1],
      [4, 4],
    ])
    expect(await counters()).toEqual([])
    await restrict(creator, fan, false)
    expect(await seen(other)).toEqual([4, 4])
    expect(await counters()).toEqual([])
  })

  it("are hidden on this creator's posts only, and from the feeds and reports of others [LIST-05]", async () => {
    const rival = await world.buildCreator()
    const elsewhere = (await world.buildPost(rival)).id
    await comment(fan, elsewhere)
    const id = await comment(fan)
    await restrict()
    expect(await seen(other, elsewhere)).toEqual([1, 1])
    await world.as(other, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
      other.profileId,
      creator.profileId,
    ])
    expect(await world.as(other, 'select comments_count from public.get_feed()')).toEqual([{ comments_count: 0 }])
    const report = (caller: Person) =>
      world.as(
        caller,
        `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'comment', $2, 'spam')`,
        [caller.profileId, id],
      )
    await expect(report(other)).rejects.toMatchObject({ code: 'PT404' })
    await report(creator)
  })

  it('are counted once when they are written while the creator restricts the fan [LIST-05]', async () => {
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([comment(fan), restrict(), comment(fan), comment(other)])
      expect(await counters()).toEqual([])
      await Promise.all([comment(fan), restrict(creator, fan, false)])
      expect(await counters()).toEqual([])
    }
  })

  it('do not notify the creator [LIST-05]', async () => {
    await restrict()
    await comment(fan)
    expect(await bell()).toEqual([])
    await comment(other)
    const id = await comment(fan)
    await world.as(fan, 'delete from public.comments where id = $1', [id])
    expect(await bell()).toHaveLength(1)
  })
})

describe("a restricted fan's messages", () => {
  it('go to their own folder, without a notification, an email, a push, or a badge [LIST-05]', async () => {
    await write(fan, creator)
    expect([await bell(), await unread()]).toMatchObject([[{ type: 'message' }], 1])
    await restrict()
    expect([await bell(), await unread()]).toEqual([[], 0])
    await write(fan, creator, 'Hello?')
    await write(other, creator)
    expect(await shown('restricted')).toEqual([fan.profileId])
    expect(await shown('all')).toEqual([other.profileId])
    expect([(await bell()).length, await unread()]).toEqual([1, 1])
    expect(
      await world.query(
        `select from private.notification_deliveries d join public.notifications n on n.id = d.notification_id
         where n.user_id = $1 and n.data ->> 'profile_id' = $2 and not n.is_read`,
        [creator.profileId, fan.profileId],
      ),
    ).toEqual([])
    await restrict(creator, fan, false)
    expect(await shown('all')).toEqual([other.profileId, fan.profileId])
    expect(await unread()).toBe(3)
    await write(fan, creator, 'At last')
    expect(await bell()).toHaveLength(2)
    expect(await counters()).toEqual([])
  })

  it('do so from the first one on, and leave the archive alone [LIST-05]', async () => {
    await restrict()
    await write(fan, creator)
    expect(await shown('restricted')).toEqual([fan.profileId])
    await world.as(creator, 'select public.update_conversation($1, is_archived => true)', [fan.profileId])
    await write(fan, creator)
    expect(await shown('restricted')).toEqual([fan.profileId])
    await restrict(creator, fan, false)
    expect(await shown('archived')).toEqual([fan.profileId])
  })

  it('look to the fan as before [LIST-05]', async () => {
    const view = async () => {
      const [conversation] = await world.as(fan, 'select * from public.get_conversation($1)', [creator.profileId])
      const [can] = await world.as(fan, 'select public.can_message($1) as can', [creator.profileId])
      return { is_restricted: conversation?.is_restricted, waits: conversation?.waiting_since, ...can }
    }
    await write(fan, creator)
    const before = await view()
    await restrict()
    expect(await view()).toEqual(before)
    expect(await restrictedAmong(fan, creator)).toEqual([])
    expect(await world.as(fan, 'select from public.notifications')).toEqual([])
  })
})

it('is for approved creators, about other users [LIST-05]', async () => {
  for (const caller of [fan, 'anon'] as const) await expect(restrict(caller, other)).rejects.toMatchObject(refused)
  await expect(restrict(creator, creator)).rejects.toMatchObject({ code: '23514' })
  await expect(restrict(creator, { ...fan, profileId: creator.productId })).rejects.toMatchObject({ code: 'PT404' })
  for (let turn = 0; turn < 2; turn += 1) await restrict()
  expect(await restrictedAmong(creator, fan, other)).toEqual([fan.profileId])
  for (const caller of [fan, other, admin]) expect(await restrictedAmong(caller, fan)).toEqual([])
  await expect(world.as(creator, 'select from private.restrictions')).rejects.toMatchObject(refused)
})

it('ends with either account, and the counts stay right [LIST-05]', async () => {
  for (const author of [fan, other]) await comment(author)
  await restrict()
  await restrict(creator, other)
  await world.query('select private.delete_account($1, $1)', [fan.userId])
  expect(await seen('anon')).toEqual([0, 0])
  expect(await seen(creator)).toEqual([1, 1])
  await world.query('delete from auth.users where id = $1', [creator.userId])
  expect(await world.query('select from private.restrictions')).not.toContainEqual({ creator_id: creator.profileId })
  expect(await counters()).toEqual([])
})
