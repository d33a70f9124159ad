import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let admin: Person
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  admin = await world.buildAdmin()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

const lines = (subject: string) =>
  world.as(admin, 'select actor_id, action, subject_type, before, after from public.audit_log where subject_id = $1', [
    subject,
  ])

it('logs who reviewed an application, with the status before and after [DATA-25, ADM-06]', async () => {
  const [front, back] = [await world.buildFile(fan, 'verification'), await world.buildFile(fan, 'verification')]
  const [application] = await world.as(
    fan,
    `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
     values ($1, 'Fay Fan', '1 Street', '123-45-6789', $2, $3) returning id`,
    [fan.userId, front, back],
  )
  await world.as(admin, `update public.creator_applications set status = 'approved' where id = $1`, [application?.id])
  expect(await lines(String(application?.id))).toEqual([
    {
      actor_id: admin.userId,
      action: 'review_application',
      subject_type: 'creator_applications',
      before: { status: 'pending' },
      after: { status: 'approved' },
    },
  ])
  expect(await lines(fan.profileId)).toEqual([]) // the creator flag came with the review
})

it('logs a granted and a revoked role [GEN-34]', async () => {
  const person = await world.buildPerson()
  await world.as('service_role', `insert into public.user_roles (user_id, role) values ($1, 'admin')`, [person.userId])
  await world.as('service_role', 'delete from public.user_roles where user_id = $1', [person.userId])
  expect(await lines(person.userId)).toMatchObject([
    { actor_id: null, action: 'grant_role', before: null, after: { role: 'admin' } },
    { actor_id: null, action: 'revoke_role', before: { role: 'admin' }, after: null },
  ])
})

it("logs a change of another user's creator flag [API-REST-08]", async () => {
  const person = await world.buildPerson()
  await world.as(admin, 'update public.profiles set is_creator = true where id = $1', [person.profileId])
  expect(await lines(person.profileId)).toMatchObject([
    {
      actor_id: admin.userId,
      action: 'change_creator_flag',
      before: { is_creator: false },
      after: { is_creator: true },
    },
  ])
})

it('logs a post that an admin deleted, without its text, and notifies the author [POST-54]', async () => {
  const post = await world.buildPost(creator)
  await world.as(admin, 'delete from public.posts where id = $1', [post.id])
  const [line] = await lines(post.id)
  expect(line).toMatchObject({
    actor_id: admin.userId,
    action: 'delete_post',
    before: { creator_id: creator.profileId, media_count: 1 },
  })
  expect(JSON.stringify(line)).not.toMatch(/words|title/)
  expect(await world.as(creator, 'select title from public.notifications')).toContainEqual({
    title: 'Post deleted for policy violation',
  })
})

it('logs a comment that an admin deleted [POST-58]', async () => {
  const post = await world.buildPost(creator)
  const write = async () => {
    const [row] = await world.as(
      fan,
      `insert into public.comments (post_id, user_id, content) values ($1, $2, 'words') returning id`,
      [post.id, fan.profileId],
    )
    return String(row?.id)
  }
  const [own, moderated] = [await write(), await write()]
  await world.as(fan, 'delete from public.comments where id = $1', [own])
  await world.as(admin, 'delete from public.comments where id = $1', [moderated])
  expect(await lines(own)).toEqual([])
  expect(await lines(moderated)).toMatchObject([
    { actor_id: admin.userId, action: 'delete_comment', before: { user_id: fan.profileId } },
  ])
})

it("doesn't log what users do with their own content", async () => {
  const post = await world.buildPost(creator)
  await world.as(creator, 'delete from public.posts where id = $1', [post.id])
  await world.as(creator, 'update public.profiles set is_creator = false where id = $1', [creator.profileId])
  expect([...(await lines(post.id)), ...(await lines(creator.profileId))]).toEqual([])
})

it("is readable only by admins and can't be changed [DATA-25]", async () => {
  for (const caller of [fan, creator]) expect(await world.as(caller, 'select from public.audit_log')).toEqual([])
  await expect(world.as('anon', 'select from public.audit_log')).rejects.toMatchObject(refused)
  for (const change of [
    `update public.audit_log set action = 'x'`,
    'delete from public.audit_log',
    'truncate public.audit_log',
  ]) {
    for (const caller of [admin, 'service_role'] as const)
      await expect(world.as(caller, change)).rejects.toMatchObject(refused)
    await expect(world.query(change)).rejects.toMatchObject(refused)
  }
  await expect(
    world.as(
      admin,
      `insert into public.audit_log (action, subject_type, subject_id) values ('x', 'x', gen_random_uuid())`,
    ),
  ).rejects.toMatchObject(refused)
})
