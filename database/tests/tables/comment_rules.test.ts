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

const say = async (author: Person, content = 'Lovely', parent: string | null = null, on = post) => {
  const [row] = await world.as(
    author,
    'insert into public.comments (post_id, user_id, content, parent_id) values ($1, $2, $3, $4) returning id, is_held',
    [on, author.profileId, content, parent],
  )
  return String(row?.id)
}
const erase = (caller: Person, id: string) =>
  world.as(caller, 'delete from public.comments where id = $1 returning id', [id])
const like = (person: Person, id: string) =>
  world.as(person, 'insert into public.comment_likes (comment_id, user_id) values ($1, $2)', [id, person.profileId])
const seen = async (caller: Caller, on = post) =>
  (await world.as(caller, 'select content from public.comments where post_id = $1 order by created_at, id', [on])).map(
    ({ content }) => content,
  )
const counted = async (on = post) =>
  (await world.as('service_role', 'select comments_count from public.posts where id = $1', [on]))[0]?.comments_count
const counters = () => world.query('select * from private.verify_counters()')
const bell = async (person: Person) =>
  (await world.as(person, 'select title from public.notifications where not is_read order by created_at, title')).map(
    ({ title }) => title,
  )
const settle = (settings: Record<string, unknown>, whose = creator) =>
  world.as(
    whose,
    `insert into public.comment_settings (creator_id, commenters, plan_id, blocked_words) values ($1, $2, $3, $4)
     on conflict (creator_id) do update set commenters = excluded.commenters, plan_id = excluded.plan_id, blocked_words = excluded.blocked_words`,
    [whose.profileId, settings.commenters ?? 'everyone', settings.plan ?? null, settings.words ?? []],
  )
const open = (commenters: string | null, plan: string | null = null, caller: Person = creator) =>
  world.as(caller, 'select public.set_commenters($1, $2, $3)', [post, commenters, plan])
const access = async (caller: Caller, on = post) =>
  (await world.as(caller, 'select * from public.get_comment_access($1)', [on]))[0]
const notFound = { code: 'PT404' }

describe('replies', () => {
  it('are one level deep, on the same post, to a comment that the author sees [TALK-02]', async () => {
    const first = await say(fan)
    const reply = await say(other, 'So true', first)
    await expect(say(fan, 'Thanks', reply)).rejects.toMatchObject({ code: '23514', constraint: 'comments_one_level' })
    const elsewhere = (await world.buildPost(creator)).id
    await expect(say(fan, 'Thanks', first, elsewhere)).rejects.toMatchObject(notFound)
    await expect(say(fan, 'Thanks', elsewhere)).rejects.toMatchObject(notFound)
    await world.as(other, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      other.profileId,
      fan.profileId,
    ])
    await expect(say(other, 'Hello', first)).rejects.toMatchObject(notFound)
    expect(await counted()).toBe(2)
  })

  it('go with their comment, and are counted [TALK-02]', async () => {
    const first = await say(fan)
    await say(other, 'One', first)
    await say(creator, 'Two', first)
    await say(other, 'Stays')
    expect(await counted()).toBe(4)
    await erase(fan, first)
    expect([await counted(), await seen('anon')]).toEqual([1, ['Stays']])
    expect(await counters()).toEqual([])
  })

  it('notify who is replied to, once for a post, until they are deleted [TALK-02]', async () => {
    const first = await say(fan)
    const reply = await say(other, 'One', first)
    expect(await bell(fan)).toEqual([`${other.username} replied to your comment`])
    await say(creator, 'Two', first)
    await say(fan, 'My own', first)
    expect(await bell(fan)).toEqual(['2 new replies to your comments'])
    await erase(other, reply)
    expect(await bell(fan)).toEqual([`${creator.username} replied to your comment`])
    await erase(fan, first)
    expect(await bell(fan)).toEqual([])
  })

  it('take no more than 30 comments of one user a minute [TALK-02]', async () => {
    for (let count = 0; count < 30; count += 1) await say(fan, `Comment ${count}`)
    await expect(say(fan)).rejects.toMatchObject({ code: 'PT429' })
    await say(other)
    await world.query(`update public.comments set created_at = now() - interval '2 minutes' where user_id = $1`, [
      fan.profileId,
    ])
    await say(fan)
  })
})

describe('likes of comments', () => {
  it('count once for each user, and notify the author [TALK-02]', async () => {
    const id = await say(fan)
    await like(other, id)
    await expect(like(other, id)).rejects.toMatchObject({ constraint: 'comment_likes_once' })
    await like(creator, id)
    await like(fan, id)
    expect(await world.as('anon', 'select likes_count from public.comments where id = $1', [id])).toEqual([
      { likes_count: 3 },
    ])
    expect(await bell(fan)).toEqual([`${creator.username} and one other liked your comment`])
    expect(await world.as(other, 'select user_id from public.comment_likes')).toEqual([{ user_id: other.profileId }])
    await world.as(creator, 'delete from public.comment_likes where comment_id = $1', [id])
    expect(await bell(fan)).toEqual([`${other.username} liked your comment`])
    expect(await counters()).toEqual([])
    await erase(fan, id)
    expect(await bell(fan)).toEqual([])
  })

  it('need a comment that the user sees, on a post that is open for them [TALK-02]', async () => {
    const locked = (await world.buildPost(creator, { type: 'subscription' })).id
    await world.subscribe(fan, creator)
    const id = await say(fan, 'Inside', null, locked)
    await expect(like(other, id)).rejects.toMatchObject(refused)
    await like(creator, id)
    await world.as(other, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      other.profileId,
      fan.profileId,
    ])
    const mine = await say(fan)
    await expect(like(other, mine)).rejects.toMatchObject(refused)
  })
})

describe('a pinned comment', () => {
  const pin = (caller: Person, id: string, is = true) => world.as(caller, 'select public.pin_comment($1, $2)', [id, is])
  const pinned = async () =>
    (await world.as('anon', 'select content from public.comments where post_id = $1 and is_pinned', [post])).map(
      ({ content }) => content,
    )

  it('is one for each post, by its creator [TALK-02]', async () => {
    const [one, two] = [await say(fan, 'One'), await say(other, 'Two')]
    await pin(creator, one)
    await pin(creator, two)
    expect(await pinned()).toEqual(['Two'])
    for (const caller of [fan, other, admin, await world.buildCreator()])
      await expect(pin(caller, one)).rejects.toMatchObject(notFound)
    await expect(pin(creator, await say(fan, 'Reply', one))).rejects.toMatchObject({ code: '23514' })
    await Promise.all([pin(creator, one), pin(creator, two), pin(creator, one)])
    expect(await pinned()).toHaveLength(1)
    await pin(creator, one)
    await pin(creator, one, false)
    expect(await pinned()).toEqual([])
  })

  it('can only be set by the server [TALK-02]', async () => {
    for (const column of ['is_pinned', 'is_held', 'likes_count'])
      await expect(
        world.as(
          fan,
          `insert into public.comments (post_id, user_id, content, ${column}) values ($1, $2, 'Hi', default)`,
          [post, fan.profileId],
        ),
      ).rejects.toMatchObject(refused)
    await say(fan)
    await expect(world.as(fan, `update public.comments set content = 'Changed'`)).rejects.toMatchObject(refused)
  })
})

describe('who may comment', () => {
  it.each([
    ['everyone', ['subscriber', 'follower', 'other']],
    ['followers', ['subscriber', 'follower']],
    ['subscribers', ['subscriber']],
    ['nobody', []],
  ])('is %s by default or for a post [TALK-02]', async (rule, who) => {
    const follower = await world.buildPerson()
    await world.as(follower, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
      follower.profileId,
      creator.profileId,
    ])
    await world.subscribe(fan, creator)
    const people = { subscriber: fan, follower, other }
    const able = async () => {
      const names: string[] = []
      for (const [name, person] of Object.entries(people)) {
        const may = await say(person).then(
          () => true,
          (error: { code: string }) => error.code !== '42501',
        )
        expect((await access(person))?.may_comment).toBe(may)
        if (may) names.push(name)
      }
      await say(creator)
      return names
    }
    await settle({ commenters: rule })
    expect(await able()).toEqual(who)
    expect(await access(other)).toMatchObject({ commenters: rule, is_default: true })
    await settle({ commenters: rule === 'nobody' ? 'everyone' : 'nobody' })
    await open(rule)
    expect(await able()).toEqual(who)
    expect(await access('anon')).toMatchObject({ commenters: rule, is_default: false, may_comment: false })
    await open(null)
    expect(await access(other)).toMatchObject({ is_default: true })
  })

  it('is who has one plan or a more expensive one [TALK-02]', async () => {
    const better = await world.buildProduct(creator, 1999)
    const [cheap, dear] = [fan, other]
    await world.subscribe(cheap, creator)
    await world.subscribe(dear, creator, { productId: better })
    await open('plan', better)
    await expect(say(cheap)).rejects.toMatchObject({
      ...refused,
      message: 'Only subscribers of one plan can comment on this post',
    })
    await say(dear)
    expect(await access(cheap)).toMatchObject({
      commenters: 'plan',
      plan_id: better,
      plan_name: 'Plan',
      may_comment: false,
    })
    await open('plan', creator.productId)
    await say(cheap)
    await say(dear)
    const rival = await world.buildCreator()
    await expect(open('plan', rival.productId)).rejects.toMatchObject({ constraint: 'commenters_plan' })
    await expect(open('plan')).rejects.toMatchObject({ constraint: 'commenters_plan' })
    await expect(settle({ commenters: 'plan', plan: rival.productId })).rejects.toMatchObject({
      constraint: 'commenters_plan',
    })
    await expect(open('friends')).rejects.toMatchObject({ constraint: 'posts_commenters_known' })
  })

  it('is decided by the post’s creator alone, also when a post is published later [TALK-02]', async () => {
    for (const caller of [fan, admin, await world.buildCreator()])
      await expect(open('nobody', null, caller)).rejects.toMatchObject(notFound)
    await expect(settle({}, fan as Creator)).rejects.toMatchObject(refused)
    const schedule = (plan: string | null, at: string) =>
      world.as(
        creator,
        `insert into public.scheduled_posts (creator_id, content, commenters, commenters_plan_id, publish_at) values ($1, 'Soon', 'plan', $2, now() + $3::interval) returning id`,
        [creator.profileId, plan, at],
      )
    const rival = await world.buildCreator()
    await expect(schedule(rival.productId, '1 day')).rejects.toMatchObject({ constraint: 'commenters_plan' })
    const [row] = await schedule(creator.productId, '0 days')
    expect(await access(fan, String(row?.id))).toMatchObject({
      commenters: 'plan',
      plan_id: creator.productId,
      may_comment: false,
    })
  })

  it("isn't shown for a locked post, and ends with the access [TALK-02]", async () => {
    const locked = (await world.buildPost(creator, { type: 'subscription' })).id
    expect(await access(fan, locked)).toBeUndefined()
    await settle({ commenters: 'subscribers' })
    await world.subscribe(fan, creator, { start: '-40 days', end: '-10 days', status: 'canceled' })
    await expect(say(fan)).rejects.toMatchObject({ message: 'Only subscribers can comment on this post' })
  })
})

describe('a comment with a blocked word', () => {
  beforeEach(() => settle({ words: ['Spam', 'Buy Followers', 'café', 'spám'] }))
  const approve = (caller: Person, id: string) => world.as(caller, 'select public.approve_comment($1)', [id])
  const queue = async (caller: Person) =>
    (await world.as(caller, 'select content from public.get_held_comments()')).map(({ content }) => content)

  it.each([
    ['This is SPAM!', true],
    ['Spám, again', true],
    ['buy   followers', true],
    ['buy-followers now', true],
    ['Meet me at the Cafe', true],
    ['Spammers and antispam', false],
    ['buy more followers', false],
    ['A cafeteria', false],
  ])('%s is held back or not [TALK-03]', async (content, is) => {
    const id = await say(fan, content)
    expect(await world.query('select is_held from public.comments where id = $1', [id])).toEqual([{ is_held: is }])
  })

  it('is seen by its author, the creator, and admins only, and not counted, until it is approved [TALK-03]', async () => {
    const id = await say(fan, `No spam @${other.username}`)
    for (const caller of [fan, creator, admin, 'service_role'] as const) expect(await seen(caller)).toHaveLength(1)
    for (const caller of [other, 'anon', await world.buildCreator()] as const) expect(await seen(caller)).toEqual([])
    expect([await counted(), await bell(other), await queue(creator), await queue(fan), await queue(admin)]).toEqual([
      0,
      [],
      [`No spam @${other.username}`],
      [],
      [],
    ])
    expect(await bell(creator)).toEqual([`${fan.username}'s comment is waiting for your review`])
    await expect(like(other, id)).rejects.toMatchObject(refused)
    await expect(like(fan, id)).rejects.toMatchObject(refused)
    await expect(say(other, 'Reply', id)).rejects.toMatchObject(notFound)
    await expect(
      world.as(
        other,
        `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'comment', $2, 'spam')`,
        [other.profileId, id],
      ),
    ).rejects.toMatchObject(notFound)
    for (const caller of [fan, other, admin, await world.buildCreator()])
      await expect(approve(caller, id)).rejects.toMatchObject(notFound)
    expect(await counters()).toEqual([])
    await approve(creator, id)
    await approve(creator, id)
    expect([await counted(), await seen('anon'), await queue(creator)]).toEqual([1, [`No spam @${other.username}`], []])
    expect([await bell(other), await bell(creator)]).toEqual([[`${fan.username} mentioned you`], []])
    expect(await counters()).toEqual([])
  })

  it('can be deleted by the creator instead, and then leaves no trace [TALK-03]', async () => {
    const id = await say(fan, 'Spam')
    expect(await erase(other, id)).toEqual([])
    expect(await erase(creator, id)).toHaveLength(1)
    expect([await bell(creator), await counted(), await counters()]).toEqual([[], 0, []])
  })

  it('of the creator is never held, and neither is one on the posts of others [TALK-03]', async () => {
    await say(creator, 'Spam')
    const elsewhere = (await world.buildPost(await world.buildCreator())).id
    await say(fan, 'Spam', null, elsewhere)
    expect([await counted(), await counted(elsewhere)]).toEqual([1, 1])
  })

  it('of a restricted fan stays between the two, before and after [TALK-03, LIST-05]', async () => {
    await world.as(creator, 'select public.restrict_fan($1)', [fan.profileId])
    const id = await say(fan, `Spam @${other.username}`)
    expect([await seen(fan), await bell(creator)]).toEqual([[`Spam @${other.username}`], []])
    await approve(creator, id)
    expect([await seen('anon'), await bell(other), await counters()]).toEqual([[], [], []])
    await world.as(creator, 'select public.restrict_fan($1, false)', [fan.profileId])
    expect([await seen('anon'), await counted(), await counters()]).toEqual([[`Spam @${other.username}`], 1, []])
  })

  it('needs words that are letters or digits, 200 at most, once each, and only the creator reads them [TALK-03]', async () => {
    expect(await world.as(creator, 'select blocked_words from public.comment_settings')).toEqual([
      { blocked_words: ['Spam', 'Buy Followers', 'café'] },
    ])
    for (const caller of [fan, admin, other])
      expect(await world.as(caller, 'select from public.comment_settings')).toEqual([])
    await expect(settle({ words: ['!!!'] })).rejects.toMatchObject({ constraint: 'comment_settings_blocked_word' })
    await expect(settle({ words: ['x'.repeat(61)] })).rejects.toMatchObject({
      constraint: 'comment_settings_blocked_word',
    })
    await expect(settle({ words: Array.from({ length: 201 }, (_, index) => `w${index}`) })).rejects.toMatchObject({
      constraint: 'comment_settings_blocked_words',
    })
    await settle({ words: [' ', ''] })
    expect(await world.as(creator, 'select blocked_words from public.comment_settings')).toEqual([
      { blocked_words: [] },
    ])
  })
})

describe("all of a user's comments", () => {
  const remove = async (caller: Person, whose: Person) =>
    (await world.as(caller, 'select public.remove_comments_of($1) as count', [whose.profileId]))[0]?.count

  it("on the creator's posts are removed at once, with the replies to them [TALK-03]", async () => {
    const second = (await world.buildPost(creator)).id
    const elsewhere = (await world.buildPost(await world.buildCreator())).id
    const first = await say(fan)
    await say(other, 'Reply', first)
    await say(fan, 'More', null, second)
    await say(fan, 'Elsewhere', null, elsewhere)
    await say(other, 'Stays', null, second)
    expect(await remove(other, fan)).toBe(0)
    expect(await remove(creator, fan)).toBe(2)
    expect([await counted(), await counted(second), await counted(elsewhere)]).toEqual([0, 1, 1])
    expect(await remove(creator, fan)).toBe(0)
    expect(await counters()).toEqual([])
  })

  it('and comments of others at the same time leave every count right [TALK-03]', async () => {
    const posts = [post, (await world.buildPost(creator)).id, (await world.buildPost(creator)).id]
    for (let round = 0; round < 3; round += 1) {
      for (const on of posts) {
        const id = await say(fan, 'One', null, on)
        await say(other, 'Reply', id, on)
      }
      await Promise.all([
        remove(creator, fan),
        remove(creator, other),
        ...posts.map((on) => say(other, 'At once', null, on)),
      ])
      expect(await counters()).toEqual([])
    }
  })

  it('go with the account, and the counts stay right [TALK-03, STAT-03]', async () => {
    const first = await say(fan)
    await say(other, `Reply @${fan.username}`, first)
    const kept = await say(other, 'Kept')
    await like(fan, kept)
    await world.as('service_role', 'select private.delete_account($1)', [fan.userId])
    expect([await seen('anon'), await counters()]).toEqual([['Kept'], []])
  })
})

it("deletes only the creator's own posts' comments, besides those of the author and admins [TALK-03]", async () => {
  const id = await say(fan)
  for (const caller of [other, await world.buildCreator()]) expect(await erase(caller, id)).toEqual([])
  expect(await erase(creator, id)).toHaveLength(1)
})
