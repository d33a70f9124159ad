import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
let stranger: Person
let admin: Person
let free: { id: string }
let locked: { id: string }
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
  stranger = await world.buildPerson()
  admin = await world.buildAdmin()
  free = await world.buildPost(creator)
  locked = await world.buildPost(creator, { type: 'subscription' })
  await world.subscribe(fan, creator)
})
afterAll(() => world.close())

const post = async (id: string) =>
  (await world.as('anon', 'select likes_count, comments_count from public.posts where id = $1', [id]))[0]
const react = (table: string) => (caller: Caller, postId: string, as: Person) =>
  world.as(caller, `insert into public.${table} (post_id, user_id) values ($1, $2)`, [postId, as.profileId])

describe('post_likes', () => {
  const like = react('post_likes')

  it('count once for each user, and count down when removed [POST-04, D28]', async () => {
    await like(fan, free.id, fan)
    await expect(like(fan, free.id, fan)).rejects.toMatchObject({ constraint: 'post_likes_once' })
    await like(stranger, free.id, stranger)
    expect(await post(free.id)).toMatchObject({ likes_count: 2 })
    expect(
      await world.as(stranger, 'delete from public.post_likes where user_id = $1 returning id', [fan.profileId]),
    ).toEqual([])
    expect(
      await world.as(fan, 'delete from public.post_likes where post_id = $1 returning id', [free.id]),
    ).toHaveLength(1)
    expect(await post(free.id)).toMatchObject({ likes_count: 1 })
  })

  it("need a post that the user can see, and can only be the user's own [POST-46, GEN-35]", async () => {
    await expect(like(stranger, locked.id, stranger)).rejects.toMatchObject(refused)
    await expect(like(stranger, free.id, fan)).rejects.toMatchObject(refused)
    await expect(like('anon', free.id, fan)).rejects.toMatchObject(refused)
    await like(fan, locked.id, fan)
    expect(await world.as(stranger, 'select from public.post_likes where user_id = $1', [fan.profileId])).toEqual([])
  })
})

describe('bookmarks', () => {
  it('are visible only to their own user [D39]', async () => {
    const keep = react('bookmarks')
    await keep(stranger, locked.id, stranger)
    await expect(keep(stranger, free.id, fan)).rejects.toMatchObject(refused)
    for (const caller of [fan, creator, admin])
      expect(await world.as(caller, 'select from public.bookmarks')).toEqual([])
    expect(await world.as(stranger, 'delete from public.bookmarks returning id')).toHaveLength(1)
  })
})

describe('comments', () => {
  const write = (caller: Caller, postId: string, as: Person, content = 'Lovely') =>
    world.as(caller, 'insert into public.comments (post_id, user_id, content) values ($1, $2, $3) returning id', [
      postId,
      as.profileId,
      content,
    ])

  it('are written and read by viewers who can see the post, and counted [API-REST-27, POST-05]', async () => {
    await write(fan, locked.id, fan)
    expect(await post(locked.id)).toMatchObject({ comments_count: 1 })
    const read = 'select from public.comments where post_id = $1'
    for (const caller of [fan, creator, admin]) expect(await world.as(caller, read, [locked.id])).toHaveLength(1)
    for (const caller of [stranger, 'anon'] as const) expect(await world.as(caller, read, [locked.id])).toEqual([])
    await expect(write(stranger, locked.id, stranger)).rejects.toMatchObject(refused)
    await expect(write(stranger, free.id, fan)).rejects.toMatchObject(refused)
    await expect(write('anon', free.id, fan)).rejects.toMatchObject(refused)
  })

  it.each(['', '  \n ', 'x'.repeat(1001)])('are neither empty nor too long (case %#) [POST-56]', async (content) => {
    await expect(write(fan, free.id, fan, content)).rejects.toMatchObject({ code: '23514' })
  })

  it("are deleted by their author, the post's author, and admins [POST-57, POST-58, TALK-03]", async () => {
    const remove = (caller: Caller, id: unknown) =>
      world.as(caller, 'delete from public.comments where id = $1 returning id', [id])
    const [first] = await write(fan, free.id, fan)
    const [second] = await write(fan, free.id, fan)
    const [third] = await write(fan, free.id, fan)
    expect(await remove(stranger, first?.id)).toEqual([])
    expect(await remove(fan, first?.id)).toHaveLength(1)
    expect(await remove(admin, second?.id)).toHaveLength(1)
    expect(await remove(creator, third?.id)).toHaveLength(1)
    await expect(world.as(fan, `update public.comments set content = 'x'`)).rejects.toMatchObject(refused)
  })
})
