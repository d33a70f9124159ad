import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

const note = (caller: Person, post: string, text: string | null, isPublic = false) =>
  world.as(
    caller,
    'update public.posts set admin_note = $2, admin_note_is_public = $3 where id = $1 returning admin_note',
    [post, text, isPublic],
  )
const seen = async (caller: Person | 'anon', post: string) =>
  (await world.as(caller, 'select admin_note from public.posts where id = $1', [post]))[0]?.admin_note

it('is added by admins and visible to the author, or to everyone if the admin chooses [POST-13, D28]', async () => {
  const post = await world.buildPost(creator)
  await note(admin, post.id, '  Under review  ')
  const stranger = await world.buildPerson()
  expect(await seen(creator, post.id)).toBe('Under review')
  expect([await seen(stranger, post.id), await seen('anon', post.id)]).toEqual([null, null])
  expect(
    await world.as(stranger, `select from public.posts where id = $1 and admin_note like 'Under%'`, [post.id]),
  ).toEqual([])
  await note(admin, post.id, 'Disputed', true)
  expect([await seen(stranger, post.id), await seen('anon', post.id)]).toEqual(['Disputed', 'Disputed'])
  await note(admin, post.id, '', true)
  expect(
    await world.query('select admin_note, admin_note_is_public from private.posts where id = $1', [post.id]),
  ).toEqual([{ admin_note: null, admin_note_is_public: false }])
  expect(
    await world.as(
      creator,
      `select message from public.notifications where title = 'A note on your post' order by created_at`,
    ),
  ).toEqual([{ message: 'Under review' }, { message: 'Disputed' }])
})

it("can't be changed by the author, and is skipped for others [D28, GEN-35]", async () => {
  const post = await world.buildPost(creator)
  await note(admin, post.id, 'Stays')
  await expect(note(creator, post.id, null)).rejects.toMatchObject(refused)
  await expect(note(creator, post.id, 'Stays', true)).rejects.toMatchObject(refused)
  expect(await note(await world.buildPerson(), post.id, 'Mine')).toEqual([])
  await expect(world.as('anon', `update public.posts set admin_note = 'x'`)).rejects.toMatchObject(refused)
  expect(await seen(creator, post.id)).toBe('Stays')
})

it("is all an admin can change in another user's post, and stays when the author edits the post [GEN-41]", async () => {
  const post = await world.buildPost(creator)
  for (const change of [`title = 'Taken over', admin_note = 'Mine'`, 'is_pinned = true'])
    await expect(world.as(admin, `update public.posts set ${change} where id = $1`, [post.id])).rejects.toMatchObject(
      refused,
    )
  await note(admin, post.id, 'Seen')
  await world.as(creator, `update public.posts set title = 'Mine' where id = $1`, [post.id])
  expect(await world.query('select title, is_pinned, admin_note from private.posts where id = $1', [post.id])).toEqual([
    { title: 'Mine', is_pinned: false, admin_note: 'Seen' },
  ])
})

it('is hidden with the post of a private profile, public or not [PROF-22]', async () => {
  const hidden = await world.buildCreator({ isPrivate: true })
  const post = await world.buildPost(hidden)
  await note(admin, post.id, 'For all', true)
  expect(await seen(await world.buildPerson(), post.id)).toBeUndefined()
})
