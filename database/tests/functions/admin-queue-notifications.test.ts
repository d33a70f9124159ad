import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let admins: Person[]
let ada: Person
let bob: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  admins = [await world.buildAdmin(), await world.buildAdmin()]
  ;[ada, bob] = [await world.buildPerson(), await world.buildPerson()]
})
afterAll(() => world.close())
beforeEach(() => world.query('delete from public.notifications'))

const apply = async (person: Person) =>
  world.as(
    person,
    `insert into public.creator_applications (user_id, country, full_name, address, id_front_url, id_back_url)
     values ($1, 'NO', 'Ada Lovelace', 'Karl Johans gate 1, Oslo', $2, $3)`,
    [person.userId, await world.buildFile(person, 'verification'), await world.buildFile(person, 'verification')],
  )
const ask = (person: Person | 'anon') =>
  world.as(
    person,
    `insert into public.support_requests (user_id, name, email, subject, message, priority)
     values ($1, 'The bank', 'bank' || '@' || 'example.com', 'Charged twice', 'See June 3rd.', 'normal')`,
    [person === 'anon' ? null : person.userId],
  )
const report = (person: Person, about: Person) =>
  world.as(
    person,
    `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'profile', $2, 'scam')`,
    [person.profileId, about.profileId],
  )
const bell = async (person: Person) =>
  (
    await world.as(person, `select title, message, data ->> 'group' as queue from public.notifications order by title`)
  ).map(({ title, message, queue }) => `${queue} | ${title} | ${message}`)

it('tells every admin who applied, once for each application, in one unread notification [NOTI-15, LOOP-17, LOOP-24]', async () => {
  await apply(ada)
  for (const admin of admins)
    expect(await bell(admin)).toEqual([`application | ${ada.username} applied to become a creator | `])
  expect(await bell(ada)).toEqual([])
  await apply(bob)
  await apply(await world.buildPerson())
  for (const admin of admins) expect(await bell(admin)).toHaveLength(1)
  expect((await bell(admins[0] as Person))[0]).toMatch(/ and 2 others applied to become a creator/)
  await world.as(admins[0] as Person, 'update public.notifications set is_read = true')
  const late = await world.buildPerson()
  await apply(late)
  expect(await bell(admins[0] as Person)).toContain(`application | ${late.username} applied to become a creator | `)
  expect(await bell(admins[1] as Person)).toHaveLength(1)
  // A review isn't an application.
  await world.query('delete from public.notifications')
  await world.as(
    admins[0] as Person,
    `update public.creator_applications set status = 'rejected', rejection_reason = 'Blurred' where user_id = $1`,
    [late.userId],
  )
  for (const admin of admins) expect(await bell(admin)).toEqual([])
})

it('marks applications as read for every admin once all that a notification counts are decided or gone [LOOP-24]', async () => {
  const [first, second] = admins as [Person, Person]
  const decide = (person: Person, change: string) =>
    world.as(first, `update public.creator_applications set ${change} where user_id = $1 and status = 'pending'`, [
      person.userId,
    ])
  const unread = async (person: Person) =>
    (await world.as(person, 'select title from public.notifications where not is_read order by created_at')).map(
      ({ title }) => title,
    )
  const people = await Promise.all([1, 2, 3, 4].map(() => world.buildPerson()))
  const [carl, dora, emil, fay] = people as [Person, Person, Person, Person]
  await world.query(`delete from public.creator_applications where status = 'pending'`)
  await apply(carl)
  await apply(dora)
  await ask(ada)
  await decide(carl, `status = 'approved'`)
  // Dora's still waits.
  for (const admin of admins) expect(await unread(admin)).toHaveLength(2)
  await decide(dora, `status = 'rejected', rejection_reason = 'Blurred'`)
  for (const admin of admins) expect(await unread(admin)).toEqual([`${ada.username} sent a support request`])
  expect(await bell(second)).toHaveLength(2) // read, not gone
  expect(await unread(carl)).toEqual(['Application approved'])

  // One that an admin has seen and not decided doesn't keep a later one unread.
  await apply(emil)
  await world.as(second, 'update public.notifications set is_read = true')
  await apply(fay)
  expect(await unread(second)).toEqual([`${fay.username} applied to become a creator`])
  await decide(fay, `status = 'approved'`)
  expect(await unread(second)).toEqual([])
  expect(await unread(first)).toContain(`${fay.username} and one other applied to become a creator`)
  await world.query('delete from public.creator_applications where user_id = $1', [emil.userId])
  expect(await unread(first)).toEqual([`${ada.username} sent a support request`])
})

it('tells every admin of support requests and reports, and takes no words from visitors [NOTI-15, LOOP-17, LOOP-24]', async () => {
  const [admin] = admins as [Person]
  await ask('anon')
  expect(await bell(admin)).toEqual(['support_request | A visitor sent a support request | '])
  await ask(ada)
  expect(await bell(admin)).toEqual([
    `support_request | 2 new support requests | The latest one is from ${ada.username}.`,
  ])
  await ask('anon')
  expect(await bell(admin)).toEqual(['support_request | 3 new support requests | The latest one is from a visitor.'])
  await report(ada, bob)
  expect(await bell(admin)).toContain(`report | ${ada.username} sent a report | `)
  await report(bob, ada)
  expect(await bell(admin)).toContain(`report | 2 new reports | The latest one is from ${bob.username}.`)
  // An admin who reports something knows of it.
  await world.query('delete from public.notifications')
  await report(admin, ada)
  expect(await bell(admin)).toEqual([])
  expect(await bell(admins[1] as Person)).toEqual([`report | ${admin.username} sent a report | `])
})

it('accepts applications that arrive together, each in the notification [LOOP-24]', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => world.buildPerson()))
  await apply(people[0] as Person)
  await Promise.all(people.slice(1).map(apply))
  const counts = await world.query(`select (data ->> 'count')::int as count from public.notifications`)
  expect(counts).toEqual(admins.map(() => ({ count: 6 })))
})

it('counts the queues for admins alone, in the overview too [LOOP-24]', async () => {
  const [admin] = admins as [Person]
  await ask('anon')
  const [queues] = await world.as(admin, 'select * from public.get_admin_queues()')
  const [overview] = await world.as(admin, 'select * from public.get_admin_overview()')
  expect(overview).toMatchObject(queues ?? {})
  expect(Number(queues?.open_support_requests)).toBeGreaterThan(0)
  await world.query(`update public.support_requests set status = 'in_progress'`)
  expect(await world.as(admin, 'select * from public.get_admin_queues()')).toEqual([queues])
  await world.query(`update public.support_requests set status = 'resolved'`)
  expect(await world.as(admin, 'select * from public.get_admin_queues()')).toEqual([
    { ...queues, open_support_requests: '0' },
  ])
  for (const caller of [ada, 'anon'] as const)
    await expect(world.as(caller, 'select * from public.get_admin_queues()')).rejects.toMatchObject(refused)
})
