import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())

const follow = (fan: Person, creator: Person) =>
  world.as(fan, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    fan.profileId,
    creator.profileId,
  ])
const choose = (fan: Person, creator: Person, level: string | null) =>
  world.as(fan, 'select public.set_post_alerts($1, $2) as level', [creator.profileId, level])
const block = (blocker: Person, blocked: Person) =>
  world.as(blocker, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
    blocker.profileId,
    blocked.profileId,
  ])
/** The unread notifications about new posts, newest first. */
const bell = async (person: Person) =>
  (await world.as(person, 'select title, message from public.get_new_posts()')).map(
    ({ title, message }) => `${title} | ${message}`,
  )
const badge = async (person: Person) => {
  const [row] = await world.as(
    person,
    'select public.count_new_posts() as posts, (public.get_unread_counts()).notifications as badge',
  )
  expect(row?.badge).toBe(row?.posts)
  return row?.posts
}
const fanOf = async (creator: Creator) => {
  const fan = await world.buildPerson()
  await follow(fan, creator)
  return fan
}
/** Reads or dismisses what the user sees now. */
const settle = (how: 'read' | 'dismiss', fan: Person, creator: Creator) =>
  world.as(
    fan,
    `select public.${how}_new_posts($1, (select published_at from public.get_new_posts() where creator_id = $1)) as n`,
    [creator.profileId],
  )
const kept = (fan: Person) =>
  world.as(fan, 'select type, title, message, is_read, data from public.notifications order by created_at desc')

describe('a new post', () => {
  it('notifies followers and subscribers, without a row for any of them [LOOP-02]', async () => {
    const creator = await world.buildCreator()
    const before = await world.buildPost(creator)
    const follower = await fanOf(creator)
    const subscriber = await world.buildPerson()
    await world.subscribe(subscriber, creator)
    const former = await fanOf(creator)
    const gone = 'delete from public.follows where follower_id = $1'
    await world.as(former, gone, [former.profileId])
    await world.as(subscriber, gone, [subscriber.profileId])
    const stranger = await world.buildPerson()
    const rows = async () =>
      (
        await world.query(
          `select (select count(*) from public.notifications)::int as stored, (select count(*) from public.post_alerts)::int as alerts,
             (select count(*) from private.notification_deliveries)::int as sent`,
        )
      )[0]
    const known = await rows()
    const { id } = await world.buildPost(creator)
    const words = `${creator.username} published a post | "A title"`
    expect([await bell(follower), await bell(subscriber)]).toEqual([[words], [words]])
    expect(await world.as(follower, 'select post_id, posts, creator_id from public.get_new_posts()')).toEqual([
      { post_id: id, posts: 1, creator_id: creator.profileId },
    ])
    for (const person of [former, stranger]) expect([await bell(person), await badge(person)]).toEqual([[], 0])
    expect(await bell(creator)).toEqual([])
    expect(await badge(follower)).toBe(1)
    expect(await rows()).toEqual(known)
    expect(before.id).not.toBe(id)
  })

  it('is grouped with others of the creator, and counts once in the badge [LOOP-02]', async () => {
    const [ada, ben] = [await world.buildCreator(), await world.buildCreator()]
    const fan = await fanOf(ada)
    await follow(fan, ben)
    await world.buildPost(ada)
    await world.buildPost(ben)
    await world.buildPost(ada)
    expect(await bell(fan)).toEqual([
      `${ada.username} published 2 posts | The latest: "A title"`,
      `${ben.username} published a post | "A title"`,
    ])
    expect(await badge(fan)).toBe(2)
  })

  it('that is scheduled notifies when it is published [LOOP-02]', async () => {
    const creator = await world.buildCreator()
    const fan = await fanOf(creator)
    const [scheduled] = await world.as(
      creator,
      `insert into public.scheduled_posts (creator_id, title, content, publish_at) values ($1, 'Tomorrow', 'words', now() + interval '1 day') returning id`,
      [creator.profileId],
    )
    expect(await bell(fan)).toEqual([])
    await world.query(`update public.scheduled_posts set publish_at = now() - interval '1 second' where id = $1`, [
      scheduled?.id,
    ])
    await world.as('service_role', 'select private.publish_due_post($1)', [scheduled?.id])
    expect(await bell(fan)).toEqual([`${creator.username} published a post | "Tomorrow"`])
  })

  it('that is deleted or taken down notifies no one any more, and leaves no title behind [LOOP-02]', async () => {
    const [creator, admin] = [await world.buildCreator(), await world.buildAdmin()]
    const [fan, reader] = [await fanOf(creator), await fanOf(creator)]
    const post = await world.buildPost(creator)
    await settle('read', reader, creator)
    expect(await kept(reader)).toHaveLength(1)
    await world.as(admin, 'delete from public.posts where id = $1', [post.id])
    expect([await bell(fan), await badge(fan), await kept(reader)]).toEqual([[], 0, []])
  })

  it('of the past, which an import brings, is no news [LOOP-02]', async () => {
    const creator = await world.buildCreator()
    const fan = await fanOf(creator)
    await world.query(
      `insert into private.posts (creator_id, content, created_at) values ($1, 'old', now() - interval '1 year')`,
      [creator.profileId],
    )
    expect(await bell(fan)).toEqual([])
  })

  it('of a private creator reaches only subscribers with access [LOOP-02, PROF-22]', async () => {
    const hidden = await world.buildCreator()
    const [fan, subscriber, lapsed] = [await fanOf(hidden), await fanOf(hidden), await fanOf(hidden)]
    await world.query('update private.profiles set is_private = true where id = $1', [hidden.profileId])
    await world.subscribe(subscriber, hidden)
    await world.subscribe(lapsed, hidden, { status: 'canceled' })
    await world.buildPost(hidden)
    expect([await badge(fan), await badge(subscriber), await badge(lapsed)]).toEqual([0, 1, 0])
  })

  it('reaches no one across a block, by whichever side [LOOP-02, D39]', async () => {
    const creator = await world.buildCreator()
    const [one, other] = [await world.buildPerson(), await world.buildPerson()]
    for (const fan of [one, other]) await world.subscribe(fan, creator)
    await block(one, creator)
    await block(creator, other)
    await world.buildPost(creator)
    expect([await bell(one), await bell(other)]).toEqual([[], []])
  })

  it('of a suspended creator, or for a suspended follower, is silent until reinstated [LOOP-02, GEN-44]', async () => {
    const [creator, admin] = [await world.buildCreator(), await world.buildAdmin()]
    const subscriber = await fanOf(creator)
    await world.subscribe(subscriber, creator)
    await world.buildPost(creator)
    for (const person of [creator, subscriber]) {
      await world.as(admin, `select public.suspend_user($1, 'Spam')`, [person.profileId])
      expect(await bell(subscriber)).toEqual([])
      await world.as(admin, 'select public.reinstate_user($1)', [person.profileId])
      expect(await bell(subscriber)).toHaveLength(1)
    }
  })
})

describe('a notification about new posts', () => {
  it('becomes an ordinary one when it is read, and later posts begin a new one [LOOP-02, NOTI-08]', async () => {
    const creator = await world.buildCreator()
    const [fan, other] = [await fanOf(creator), await fanOf(creator)]
    await world.buildPost(creator)
    const newest = await world.buildPost(creator)
    expect(await settle('read', fan, creator)).toEqual([{ n: 1 }])
    expect([await bell(fan), await badge(fan), await badge(other)]).toEqual([[], 0, 1])
    expect(await kept(fan)).toEqual([
      {
        type: 'other',
        title: `${creator.username} published 2 posts`,
        message: 'The latest: "A title"',
        is_read: true,
        data: { new_posts: 2, profile_id: creator.profileId, post_id: newest.id },
      },
    ])
    await world.buildPost(creator)
    expect(await bell(fan)).toEqual([`${creator.username} published a post | "A title"`])
    expect(
      await world.query('select from private.notification_deliveries where user_id = $1', [fan.profileId]),
    ).toEqual([])
  })

  it('disappears when it is deleted, and leaves a post unread that came while the user looked [LOOP-02, NOTI-09]', async () => {
    const creator = await world.buildCreator()
    const fan = await fanOf(creator)
    await world.buildPost(creator)
    const [seen] = await world.as(fan, 'select published_at::text as at from public.get_new_posts()')
    await world.buildPost(creator)
    await world.as(fan, 'select public.dismiss_new_posts($1, $2)', [creator.profileId, seen?.at])
    expect(await bell(fan)).toEqual([`${creator.username} published a post | "A title"`])
    await world.as(fan, 'select public.dismiss_new_posts(null)')
    expect(await badge(fan)).toBe(1)
    await settle('dismiss', fan, creator)
    expect([await bell(fan), await kept(fan)]).toEqual([[], []])
  })

  it('is read with all others at once, and once by two devices at the same time [LOOP-02, NOTI-05]', async () => {
    const creators = [await world.buildCreator(), await world.buildCreator(), await world.buildCreator()]
    const fan = await world.buildPerson()
    for (const creator of creators) {
      await follow(fan, creator)
      await world.buildPost(creator)
    }
    const counts = await Promise.all([1, 2].map(() => world.as(fan, 'select public.read_new_posts() as n')))
    expect(counts.flat().toSorted((one, two) => Number(one.n) - Number(two.n))).toEqual([{ n: 0 }, { n: 3 }])
    expect([await badge(fan), (await kept(fan)).length]).toEqual([0, 3])
  })

  it('counts every post exactly, however posts and reads interleave [LOOP-02]', async () => {
    const creator = await world.buildCreator()
    const fan = await fanOf(creator)
    const posts = 12
    await Promise.all(
      Array.from({ length: posts }, async (_, place) => {
        await world.buildPost(creator)
        if (place % 3 === 0) await settle('read', fan, creator)
      }),
    )
    await settle('read', fan, creator)
    const counted = (await kept(fan)).map(({ data }) => (data as { new_posts: number }).new_posts)
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(posts)
  })
})

describe('the bell of a creator', () => {
  it('chooses all posts, paid ones, or none, from now on [LOOP-02]', async () => {
    const creator = await world.buildCreator()
    const fan = await fanOf(creator)
    const level = async () =>
      (await world.as(fan, 'select public.get_post_alerts($1) as level', [creator.profileId]))[0]?.level
    expect(await level()).toBe('all')
    await choose(fan, creator, 'paid')
    await world.buildPost(creator)
    expect([await level(), await badge(fan)]).toEqual(['paid', 0])
    await world.buildPost(creator, { type: 'subscription' })
    await world.buildPost(creator, { type: 'ppv' })
    expect(await bell(fan)).toEqual([`${creator.username} published 2 posts | The latest: "A title"`])
    await choose(fan, creator, 'none')
    expect(await badge(fan)).toBe(0)
    await world.buildPost(creator)
    await choose(fan, creator, 'all')
    expect([await level(), await badge(fan)]).toEqual(['all', 0])
    await world.buildPost(creator)
    expect(await badge(fan)).toBe(1)
  })

  it('is for followers and subscribers; other levels, people, and unknown creators are rejected [LOOP-02]', async () => {
    const [creator, stranger] = [await world.buildCreator(), await world.buildPerson()]
    expect(await world.as(stranger, 'select public.get_post_alerts($1) as level', [creator.profileId])).toEqual([
      { level: null },
    ])
    const fan = await fanOf(creator)
    for (const level of ['loud', '', null])
      await expect(choose(fan, creator, level)).rejects.toMatchObject({ code: '22023' })
    await expect(world.as(fan, `select public.set_post_alerts(gen_random_uuid(), 'all')`)).rejects.toMatchObject({
      code: 'PT404',
    })
    await choose(fan, creator, 'paid')
    expect(await world.as(fan, 'select level from public.post_alerts')).toEqual([{ level: 'paid' }])
    expect(await world.as(creator, 'select from public.post_alerts')).toEqual([])
    for (const attempt of [
      `update public.post_alerts set level = 'all'`,
      'delete from public.post_alerts',
      'insert into public.post_alerts (user_id, creator_id) values (gen_random_uuid(), gen_random_uuid())',
    ])
      await expect(world.as(fan, attempt)).rejects.toMatchObject(refused)
  })
})
