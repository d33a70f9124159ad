import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let admin: Person
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[admin, fan] = [await world.buildAdmin(), await world.buildPerson()]
})
afterAll(() => world.close())

type Broadcast = {
  type?: string
  title?: string | null
  message?: string | null
  data?: object | null
  poll?: string | null
}
async function broadcast(
  caller: Caller,
  { type = 'announcement', title = 'News', message = 'Something new', data = {}, poll = null }: Broadcast = {},
) {
  const [row] = await world.as(
    caller,
    `select public.broadcast_notification_to_all_users(notification_type => $1, notification_title => $2,
       notification_message => $3, notification_data => $4, poll_ref => $5) as count`,
    [type, title, message, JSON.stringify(data), poll],
  )
  return row?.count
}
async function buildPoll(): Promise<string> {
  const [row] = await world.as(
    admin,
    `insert into public.polls (title, options) values ('Tea?', '["Yes","No"]') returning id`,
  )
  return String(row?.id)
}

describe('a broadcast', () => {
  it('reaches every user once, returns their number, and is written to the audit log [RPC-06, ADM-27, ADM-35]', async () => {
    const [everybody] = await world.query('select count(*)::int as n from private.profiles')
    expect(await broadcast(admin, { title: ' News ', data: { link: '/explore' } })).toBe(everybody?.n)
    expect(
      await world.as(fan, `select type, title, message, data ->> 'link' as link, is_read from public.notifications`),
    ).toEqual([{ type: 'announcement', title: 'News', message: 'Something new', link: '/explore', is_read: false }])
    expect(
      await world.as(
        admin,
        `select actor_id, after ->> 'recipients' as n from public.audit_log where action = 'broadcast'`,
      ),
    ).toEqual([{ actor_id: admin.userId, n: String(everybody?.n) }])
    const poll = await buildPoll()
    expect(await broadcast(admin, { type: 'poll', title: 'Vote', message: '', poll })).toBe(everybody?.n)
    const reached = await world.query('select count(*)::int as n from public.notifications where poll_id = $1', [poll])
    expect(reached).toEqual([everybody])
  })

  it.each([
    ['poll_ref', (poll: string) => ({ poll })],
    ['notification_data', (poll: string) => ({ data: { poll_id: poll } })],
  ])('links its poll, given in %s [RPC-06, API-REST-13, DATA-12]', async (_where, name) => {
    const poll = await buildPoll()
    await broadcast(admin, { type: 'poll', title: 'Vote', message: '', ...name(poll) })
    expect(
      await world.as(
        fan,
        `select p.title, n.data ->> 'poll_id' as named from public.notifications n join public.polls p on p.id = n.poll_id where n.poll_id = $1`,
        [poll],
      ),
    ).toEqual([{ title: 'Tea?', named: poll }])
  })

  it('is only for admins [RPC-06, GEN-35]', async () => {
    await expect(broadcast(fan)).rejects.toMatchObject(refused)
    await expect(broadcast('anon')).rejects.toMatchObject(refused)
  })

  it.each<[Broadcast, string]>([
    [{ title: ' ' }, 'Title is required'],
    [{ title: null }, 'Title is required'],
    [{ title: 'x'.repeat(101) }, 'A title can have up to 100 characters'],
    [{ message: '\n' }, 'Message is required for announcements'],
    [{ message: 'x'.repeat(501) }, 'A message can have up to 500 characters'],
    [{ type: 'poll' }, 'Poll not found'],
    [{ type: 'poll', data: { poll_id: 'none' } }, 'Poll not found'],
    [{ type: 'tip' }, 'notification_type must be announcement or poll'],
    [{ data: [] }, 'notification_data must be an object of at most 2000 characters'],
  ])('is rejected as %j: %s, and no one is notified [ADM-28, ADM-29, ADM-32]', async (wrong, message) => {
    const before = await world.query('select count(*) from public.notifications')
    await expect(broadcast(admin, wrong)).rejects.toMatchObject({ message })
    expect(await world.query('select count(*) from public.notifications')).toEqual(before)
  })
})
