import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'

/** Free covers of locked posts (LOOP-14): posts.cover_path, and bucket covers. */
let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

type Post = Partial<Record<'cover_path' | 'post_type' | 'ppv_price' | 'required_tier_id' | 'media_urls', unknown>>
const rowOf = (post: Post, author: Creator) => ({
  creator_id: author.profileId,
  content: 'Hello',
  post_type: 'subscription',
  required_tier_id: post.post_type === undefined ? author.productId : null,
  ...post,
})
async function insert(
  post: Post,
  author = creator,
  table = 'posts',
  more: Record<string, unknown> = {},
): Promise<string> {
  const row = { ...rowOf(post, author), ...more }
  const [made] = await world.as(
    author,
    `insert into public.${table} (${Object.keys(row)}) values (${Object.keys(row).map((_, index) => `$${index + 1}`)}) returning id`,
    Object.values(row),
  )
  return String(made?.id)
}
const tomorrow = { publish_at: new Date(Date.now() + 86_400_000) }
const schedule = (post: Post, more = {}) => insert(post, creator, 'scheduled_posts', { ...tomorrow, ...more })
const cover = (owner: Person = creator, type = 'image/webp') => world.buildFile(owner, 'covers', type)
const coverOf = async (caller: Caller, id: string) =>
  (await world.as(caller, 'select cover_path, is_locked, media_urls from public.posts where id = $1', [id]))[0]
const files = async (path: string) => world.query('select from storage.objects where name = $1', [path])
const removals = async (path: string) => world.query('select from private.storage_removals where name = $1', [path])

describe('a cover', () => {
  it('is for everyone who sees the post, while its files stay locked [LOOP-14, POST-46]', async () => {
    const path = await cover()
    const photo = await world.buildFile(creator)
    const id = await insert({ cover_path: path, media_urls: [photo] }, creator, 'posts', { media_types: ['image'] })
    for (const caller of ['anon', fan] as const)
      expect(await coverOf(caller, id)).toEqual({ cover_path: path, is_locked: true, media_urls: [] })
    expect(await coverOf(creator, id)).toEqual({ cover_path: path, is_locked: false, media_urls: [photo] })
    const sale = await insert({ post_type: 'ppv', ppv_price: 500, cover_path: await cover() })
    expect(await coverOf('anon', sale)).toMatchObject({ is_locked: true, cover_path: expect.any(String) })
  })

  it('is an uploaded picture in the folder of the author, of a post that can be locked [LOOP-14]', async () => {
    for (const [cover_path, error] of [
      [await cover(fan), { code: 'PT403' }],
      ['cover.webp', { code: 'PT403' }],
      [`${creator.userId}/never-uploaded`, { code: 'PT422' }],
      [await cover(creator, 'video/mp4'), { code: 'PT422' }],
      [await world.buildFile(creator), { code: 'PT422' }], // of bucket posts
    ] as const) {
      await expect(insert({ cover_path })).rejects.toMatchObject(error)
      await expect(schedule({ cover_path })).rejects.toMatchObject(error)
    }
    const free = { post_type: 'free', cover_path: await cover() }
    const constraint = 'posts_cover_only_when_locked'
    await expect(insert(free)).rejects.toMatchObject({ code: '23514', constraint })
    await expect(schedule(free)).rejects.toMatchObject({ code: '23514', constraint })
    // Also without the triggers.
    await expect(
      world.query('insert into private.posts (creator_id, content, cover_path) values ($1, $2, $3)', [
        creator.profileId,
        'Hello',
        free.cover_path,
      ]),
    ).rejects.toMatchObject({ constraint })
  })

  it('belongs to one post [LOOP-14]', async () => {
    const path = await cover()
    await insert({ cover_path: path })
    await expect(insert({ cover_path: path })).rejects.toMatchObject({
      code: '23505',
      message: 'This cover already belongs to a post',
    })
    await expect(schedule({ cover_path: path })).rejects.toMatchObject({ code: '23505' })
  })

  it('is changed and removed by the author alone, and the file goes with it [LOOP-14]', async () => {
    const [first, second] = [await cover(), await cover()]
    const id = await insert({ cover_path: first })
    const change = (caller: Caller, path: string | null) =>
      world.as(caller, 'update public.posts set cover_path = $2 where id = $1 returning cover_path', [id, path])
    expect(await change(fan, null)).toEqual([])
    await expect(change('anon', null)).rejects.toMatchObject(refused)
    await expect(change(await world.buildAdmin(), null)).rejects.toMatchObject(refused)
    await expect(change(creator, await cover(fan))).rejects.toMatchObject({ code: 'PT403' })
    expect(await files(first)).toHaveLength(1)
    expect(await change(creator, first)).toEqual([{ cover_path: first }])
    expect(await change(creator, second)).toEqual([{ cover_path: second }])
    expect(await files(first)).toEqual([])
    expect(await removals(first)).toHaveLength(1)
    await world.as(creator, 'delete from public.posts where id = $1', [id])
    expect(await files(second)).toEqual([])
    expect(await removals(second)).toHaveLength(1)
    const free = await world.buildPost(creator)
    await expect(
      world.as(creator, 'update public.posts set cover_path = $2 where id = $1', [free.id, await cover()]),
    ).rejects.toMatchObject({ constraint: 'posts_cover_only_when_locked' })
  })

  it('comes with a scheduled post, and is deleted with one that is given up [LOOP-14]', async () => {
    const [kept, dropped] = [await cover(), await cover()]
    const id = await schedule({ cover_path: kept })
    await world.as(creator, 'select public.publish_scheduled_post($1)', [id])
    expect(await coverOf('anon', id)).toMatchObject({ cover_path: kept, is_locked: true })
    expect(await files(kept)).toHaveLength(1)
    const other = await schedule({ cover_path: dropped })
    await world.as(creator, 'delete from public.scheduled_posts where id = $1', [other])
    expect(await files(dropped)).toEqual([])
    expect(await removals(dropped)).toHaveLength(1)
  })

  it('is deleted with the account [LOOP-14, SET-14]', async () => {
    const leaving = await world.buildCreator()
    const path = await cover(leaving)
    await insert({ cover_path: path }, leaving)
    await world.as('service_role', 'select private.delete_account($1)', [leaving.userId])
    expect(await files(path)).toEqual([])
  })
})
