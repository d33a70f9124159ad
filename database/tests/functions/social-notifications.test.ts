import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'

let world: DatabaseFixture
let ada: Creator
let bob: Person
let eve: Person
let post: string
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[ada, bob, eve] = [await world.buildCreator(), await world.buildPerson(), await world.buildPerson()]
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.query('delete from public.notifications')
  post = (await world.buildPost(ada)).id
})

const like = (person: Person) =>
  world.as(person, 'insert into public.post_likes (post_id, user_id) values ($1, $2)', [post, person.profileId])
const unlike = (person: Person) =>
  world.as(person, 'delete from public.post_likes where post_id = $1 and user_id = $2', [post, person.profileId])
const say = (person: Person) =>
  world.as(
    person,
    `insert into public.comments (post_id, user_id, content) values ($1, $2, 'secret words') returning id`,
    [post, person.profileId],
  )
const follow = (person: Person) =>
  world.as(person, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    person.profileId,
    ada.profileId,
  ])
const bell = async (person: Person = ada) =>
  (await world.as(person, 'select type, title, message from public.notifications order by created_at desc')).map(
    ({ type, title, message }) => `${type} | ${title} | ${message}`,
  )

describe('likes', () => {
  it('make one notification for a post until it is read, with their number [NOTI-15, LOOP-17]', async () => {
    await like(bob)
    expect(await bell()).toEqual([`like | ${bob.username} liked your post | "A title"`])
    await like(eve)
    expect(await bell()).toEqual([`like | ${eve.username} and one other liked your post | "A title"`])
    await like(await world.buildPerson())
    expect((await bell())[0]).toMatch(/and 2 others liked/)
    await world.as(ada, 'update public.notifications set is_read = true')
    await like(await world.buildPerson())
    expect(await bell()).toHaveLength(2)
  })

  it('name a post without a title by how it begins, with no more of it than everyone sees', async () => {
    await world.query('update private.posts set title = null, content = $2 where id = $1', [
      post,
      `Bread\n\nrises ${'slowly '.repeat(20)}`,
    ])
    await like(bob)
    const [line = ''] = await bell()
    expect(line).toMatch(/\| "Bread rises slowly .+…"$/)
    expect(line.length).toBeLessThan(140)
    await world.query('delete from public.notifications')
    await world.query(`update private.posts set content = '' where id = $1`, [post])
    await like(eve)
    expect(await bell()).toEqual([`like | ${eve.username} liked your post | `])
  })

  it('are counted down when they are removed, and the notification names another user', async () => {
    await like(bob)
    await like(eve)
    await unlike(eve)
    expect(await bell()).toEqual([`like | ${bob.username} liked your post | "A title"`])
    await unlike(bob)
    expect(await bell()).toEqual([])
    for (let n = 0; n < 3; n++) {
      await like(bob)
      await unlike(bob)
    }
    expect(await bell()).toEqual([])
  })

  it("from before a notification aren't counted down from it", async () => {
    await like(bob)
    await world.as(ada, 'update public.notifications set is_read = true')
    await like(eve)
    await unlike(bob)
    expect(await bell()).toContain(`like | ${eve.username} liked your post | "A title"`)
  })

  it("of the author don't notify", async () => {
    await like(ada)
    await say(ada)
    expect(await bell()).toEqual([])
  })

  it('make a notification that is deleted with the post', async () => {
    await like(bob)
    await say(eve)
    expect(await bell()).toHaveLength(2)
    await world.as(ada, 'delete from public.posts where id = $1', [post])
    expect(await bell()).toEqual([])
  })
})

describe('comments and follows', () => {
  it('are grouped too, without text [NOTI-15, LOOP-17]', async () => {
    const [first] = await say(bob)
    expect(await bell()).toEqual([`other | ${bob.username} commented on your post | "A title"`])
    await say(bob)
    expect(await bell()).toEqual([
      `other | 2 new comments on your post | ${bob.username} wrote the latest one, on "A title".`,
    ])
    await world.as(bob, 'delete from public.comments where id = $1', [first?.id])
    expect(await bell()).toEqual([`other | ${bob.username} commented on your post | "A title"`])
  })

  it('name the last follower, and not a blocked one [NOTI-15]', async () => {
    await follow(bob)
    await follow(eve)
    expect(await bell()).toEqual([`other | ${eve.username} and one other started following you | `])
    await world.as(ada, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      ada.profileId,
      eve.profileId,
    ])
    expect(await bell()).toEqual([`other | ${bob.username} started following you | `])
    await expect(follow(eve)).rejects.toMatchObject({ code: 'PT403' })
    expect(await bell()).toHaveLength(1)
  })
})
