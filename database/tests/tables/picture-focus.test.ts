import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Creator, type DatabaseFixture, openDatabaseFixture } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let rival: Creator
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[creator, rival] = (await Promise.all([world.buildCreator(), world.buildCreator()])) as [Creator, Creator]
})
afterAll(() => world.close())

const set = (caller: Caller, path: string, x: number | string | null, y: number | null) =>
  world.as(caller, 'select public.set_picture_focus($1, $2, $3)', [path, x, y])
const focusOf = async (path: string) =>
  (await world.query(`select metadata -> 'focus' as focus from storage.objects where name = $1`, [path]))[0]?.focus
const previews = async (id: string) =>
  (await world.as('anon', 'select media_previews from public.posts where id = $1', [id]))[0]?.media_previews

describe('the focus point of a picture [LOOP-11]', () => {
  it('can be set before the post and changed after it, and the post shows it', async () => {
    const path = await world.buildFile(creator)
    await set(creator, path, 0.25, 0.1)
    const { id } = await world.buildPost(creator, { media: [path, await world.buildFile(creator)] })
    expect(await previews(id)).toEqual([{ focus: { x: 0.25, y: 0.1 } }, {}])
    await set(creator, path, 0.66666, 1)
    expect(await previews(id)).toEqual([{ focus: { x: 0.667, y: 1 } }, {}])
  })

  it('is public while the post is locked, so that nothing moves when it is unlocked [POST-10]', async () => {
    const path = await world.buildFile(creator)
    const { id } = await world.buildPost(creator, { type: 'ppv', media: [path] })
    await set(creator, path, 0, 1)
    expect(await world.as('anon', 'select is_locked, media_previews from public.posts where id = $1', [id])).toEqual([
      { is_locked: true, media_previews: [{ focus: { x: 0, y: 1 } }] },
    ])
  })

  it('can only be set by the owner of a picture in bucket posts', async () => {
    const path = await world.buildFile(creator)
    for (const caller of [rival, await world.buildAdmin(), 'service_role'] as const)
      await expect(set(caller, path, 0.5, 0.5)).rejects.toMatchObject({ code: 'PT404' })
    await expect(set('anon', path, 0.5, 0.5)).rejects.toMatchObject({ code: '42501' })
    const others = [
      await world.buildFile(creator, 'posts', 'video/mp4'),
      await world.buildFile(creator, 'avatars'),
      await world.buildFile(creator, 'verification'),
      'nothing/here.jpg',
    ]
    for (const other of others) await expect(set(creator, other, 0.5, 0.5)).rejects.toMatchObject({ code: 'PT404' })
    const theirs = await world.buildFile(rival)
    await world.as(await world.buildAdmin(), `select public.suspend_user($1, 'Spam')`, [rival.profileId])
    await expect(set(rival, theirs, 0.5, 0.5)).rejects.toMatchObject({ code: 'PT404' })
    expect([await focusOf(path), await focusOf(theirs)]).toEqual([null, null])
  })

  it.each([
    ['x left of the picture', -0.01, 0.5],
    ['y below the picture', 0.5, 1.01],
    ['x that is not a number', 'NaN', 0.5],
    ['x alone', 0.5, null],
    ['nothing', null, null],
  ])('is rejected: %s', async (_what, x, y) => {
    const path = await world.buildFile(creator)
    await expect(set(creator, path, x, y)).rejects.toMatchObject({ code: 'PT422' })
    expect(await focusOf(path)).toBeNull()
  })
})
