import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let fan: Person
let stranger: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[fan, stranger, admin] = [await world.buildPerson(), await world.buildPerson(), await world.buildAdmin()]
})
afterAll(() => world.close())

const form = {
  name: 'Ada',
  email: 'ada@example.com',
  subject: 'Help',
  category: 'Billing',
  message: 'It does not work',
  priority: 'normal',
}
type Form = { [Field in keyof typeof form]?: unknown } & { user_id?: string | null }
async function ask(caller: Caller, overrides: Form = {}) {
  const request: Record<string, unknown> = { ...form, ...overrides }
  const columns = Object.keys(request)
  await world.as(
    caller,
    `insert into public.support_requests (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(request),
  )
}
const latest = async () =>
  (await world.query('select * from public.support_requests order by created_at desc limit 1'))[0] ?? {}

describe('a support request', () => {
  it('is accepted from visitors, without an account [SUPP-13, API-REST-34]', async () => {
    await ask('anon', { user_id: null })
    expect(await latest()).toMatchObject({ ...form, user_id: null, status: 'open' })
    await expect(ask('anon', { user_id: fan.userId })).rejects.toMatchObject(refused)
    await expect(world.as('anon', 'select from public.support_requests')).rejects.toMatchObject(refused)
  })

  it("is accepted from users with their own account or with none, never with another's [SUPP-13, GEN-35]", async () => {
    await ask(fan, { user_id: fan.userId })
    await ask(fan, { user_id: null })
    for (const caller of [fan, admin]) {
      await expect(ask(caller, { user_id: stranger.userId })).rejects.toMatchObject(refused)
    }
  })

  it.each(['name', 'email', 'subject', 'message'])(
    'needs %s, with the message of the form [SUPP-06]',
    async (field) => {
      for (const value of [null, '', ' \n ']) {
        await expect(ask('anon', { [field]: value })).rejects.toMatchObject({
          code: '23514',
          message: 'Please fill in all required fields.',
        })
      }
    },
  )

  it.each<[Form, string]>([
    [{ email: 'ada' }, 'support_requests_email_format'],
    [{ email: 'a b@example.com' }, 'support_requests_email_format'],
    [{ category: 'Gossip' }, 'support_requests_category_known'],
    [{ priority: 'critical' }, 'support_requests_priority_known'],
    [{ name: 'x'.repeat(101) }, 'support_requests_name_length'],
    [{ subject: 'x'.repeat(201) }, 'support_requests_subject_length'],
    [{ message: 'x'.repeat(5001) }, 'support_requests_message_length'],
  ])('is rejected with %j [SUPP-04, SUPP-08, SUPP-09]', async (wrong, constraint) => {
    await expect(ask('anon', wrong)).rejects.toMatchObject({ code: '23514', constraint })
  })

  it('has normal priority and no category when none is chosen [SUPP-07, SUPP-08]', async () => {
    await ask('anon', { category: '', priority: null, name: ' Ada ' })
    expect(await latest()).toMatchObject({ category: null, priority: 'normal', name: 'Ada' })
  })

  it("can't be created as resolved or with a date", async () => {
    for (const field of ['status', 'created_at', 'id']) {
      await expect(
        world.as(
          'anon',
          `insert into public.support_requests (name, email, subject, message, ${field}) values ('a', 'a@b.c', 's', 'm', null)`,
        ),
      ).rejects.toMatchObject(refused)
    }
  })
})

describe('the list of requests', () => {
  it('shows admins all requests, and users their own [ADM-22, API-REST-33, GEN-35]', async () => {
    await ask(fan, { user_id: fan.userId, subject: 'Mine' })
    const see = async (caller: Person) =>
      (await world.as(caller, `select subject from public.support_requests where subject = 'Mine'`)).length
    expect([await see(fan), await see(stranger), await see(admin)]).toEqual([1, 0, 1])
  })

  it('is updated only by admins, never back to open, and updates updated_at [ADM-23, ADM-24, API-REST-35]', async () => {
    await ask(fan, { user_id: fan.userId })
    const { id, updated_at } = await latest()
    const set = (caller: Caller, status: string) =>
      world.as(
        caller,
        `update public.support_requests set status = $2, updated_at = '2001-01-01' where id = $1 returning status, updated_at`,
        [id, status],
      )
    expect(await set(fan, 'resolved')).toEqual([])
    await expect(set('anon', 'resolved')).rejects.toMatchObject(refused)
    const [changed] = await set(admin, 'in_progress')
    expect(changed?.status).toBe('in_progress')
    expect(Number(changed?.updated_at)).toBeGreaterThan(Number(updated_at))
    await expect(set(admin, 'open')).rejects.toMatchObject(refused)
    await expect(set(admin, 'lost')).rejects.toMatchObject(refused)
    expect(await set(admin, 'resolved')).toMatchObject([{ status: 'resolved' }])
    await expect(world.as(admin, `update public.support_requests set message = 'x'`)).rejects.toMatchObject(refused)
    await expect(world.as(admin, 'delete from public.support_requests')).rejects.toMatchObject(refused)
  })

  it('keeps a request when its account is deleted', async () => {
    const leaver = await world.buildPerson()
    await ask(leaver, { user_id: leaver.userId, subject: 'Goodbye' })
    await world.query('delete from auth.users where id = $1', [leaver.userId])
    expect(await world.query(`select user_id from public.support_requests where subject = 'Goodbye'`)).toEqual([
      { user_id: null },
    ])
  })
})
