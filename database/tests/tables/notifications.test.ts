import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let owner: Person
let stranger: Person
let admin: Person
let id: string
beforeAll(async () => {
  world = await openDatabaseFixture()
  owner = await world.buildPerson()
  stranger = await world.buildPerson()
  admin = await world.buildAdmin()
})
beforeEach(async () => {
  const [row] = await world.as(
    'service_role',
    `select private.notify($1, 'tip', 'A tip', 'Ada sent you $5.00') as id`,
    [owner.profileId],
  )
  id = String(row?.id)
})
afterAll(() => world.close())

it('is readable only by its user, not by admins [API-REST-13]', async () => {
  const read = 'select id, type, title, message, data, is_read from public.notifications where id = $1'
  expect(await world.as(owner, read, [id])).toEqual([
    { id, type: 'tip', title: 'A tip', message: 'Ada sent you $5.00', data: {}, is_read: false },
  ])
  expect(await world.as(stranger, read, [id])).toEqual([])
  expect(await world.as(admin, read, [id])).toEqual([])
  await expect(world.as('anon', read, [id])).rejects.toMatchObject(refused)
})

it('can be marked as read only by its user [API-REST-14]', async () => {
  const mark = 'update public.notifications set is_read = true where id = $1 returning id'
  expect(await world.as(stranger, mark, [id])).toEqual([])
  expect(await world.as(owner, mark, [id])).toEqual([{ id }])
})

it('is one of 5,000 unread: counted, shown by page from an index, and marked as read at once [API-REST-12, API-REST-14]', async () => {
  const popular = await world.buildPerson()
  await world.query(
    `insert into public.notifications (user_id, type, title, created_at)
     select $1, 'like', 'Like ' || n, now() - n * interval '1 second' from generate_series(1, 5000) n`,
    [popular.profileId],
  )
  await world.query('analyze public.notifications')
  const unread = 'select count(*)::int as unread from public.notifications where user_id = $1 and not is_read'
  expect(await world.as(popular, unread, [popular.profileId])).toEqual([{ unread: 5000 }])
  const page = `select title from public.notifications order by created_at desc, id desc limit 50 offset 4950`
  expect((await world.as(popular, page)).at(-1)).toEqual({ title: 'Like 5000' })
  const plan = await world.as(popular, `explain ${page.replace('4950', '0')}`)
  // The months in order, newest first, each from its index: reading stops when the page is full.
  expect(JSON.stringify(plan)).toMatch(/Append.*Index Scan using notifications_\d{6}_user_id_created_at_id_idx/)
  expect(JSON.stringify(plan)).not.toMatch(/Sort|Merge|Seq Scan/)
  await world.as(popular, 'update public.notifications set is_read = true where user_id = $1 and not is_read', [
    popular.profileId,
  ])
  expect(await world.as(popular, unread, [popular.profileId])).toEqual([{ unread: 0 }])
})

it("can't be changed in its text, type, or receiver", async () => {
  for (const change of [`title = 'x'`, `message = 'x'`, `type = 'other'`, `data = '{}'`, 'user_id = id']) {
    await expect(world.as(owner, `update public.notifications set ${change}`)).rejects.toMatchObject(refused)
  }
})

it('can be deleted only by its user [API-REST-15]', async () => {
  const remove = 'delete from public.notifications where id = $1 returning id'
  expect(await world.as(stranger, remove, [id])).toEqual([])
  expect(await world.as(owner, remove, [id])).toEqual([{ id }])
})

it.each(['tip', 'payment', 'like', 'message', 'subscription', 'verification', 'poll', 'announcement', 'other'])(
  'has the type %s [DATA-13]',
  async (type) => {
    const insert = `insert into public.notifications (user_id, type, title) values ($1, $2, 'x') returning type`
    expect(await world.query(insert, [owner.profileId, type])).toEqual([{ type }])
    await expect(world.query(insert, [owner.profileId, `${type}s`])).rejects.toMatchObject({
      constraint: 'notifications_type_known',
    })
  },
)

it('is written only by the server, with a known type [DATA-13]', async () => {
  const insert = `insert into public.notifications (user_id, type, title) values ($1, $2, 'x')`
  await expect(world.as(stranger, insert, [owner.profileId, 'other'])).rejects.toMatchObject(refused)
  await expect(world.as(owner, insert, [owner.profileId, 'other'])).rejects.toMatchObject(refused)
  await expect(world.as('service_role', insert, [owner.profileId, 'spam'])).rejects.toMatchObject({
    constraint: 'notifications_type_known',
  })
})

it('is published for live updates, with full rows when deleted [API-RT-01, API-RT-02]', async () => {
  const published = await world.query(
    `select t.tablename, c.relreplident from pg_publication_tables t join pg_class c on c.oid = format('%I.%I', t.schemaname, t.tablename)::regclass
     where t.pubname = 'ovation_realtime' and t.tablename in ('notifications', 'subscriptions') order by 1`,
  )
  expect(published).toEqual([
    { tablename: 'notifications', relreplident: 'f' },
    { tablename: 'subscriptions', relreplident: 'f' },
  ])
})
