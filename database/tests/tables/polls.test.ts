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

type Poll = { title?: string | null; description?: string | null; options?: unknown; days?: number }
async function ask(
  caller: Caller,
  { title = 'Tea?', description = null, options = ['Yes', 'No'], days = 7 }: Poll = {},
) {
  const [row] = await world.as(
    caller,
    `insert into public.polls (title, description, options, expires_at) values ($1, $2, $3, now() + make_interval(mins => $4))
     returning id, title, description, options, is_active`,
    [title, description, typeof options === 'string' ? options : JSON.stringify(options), Math.round(days * 1440)],
  )
  return { ...row, id: String(row?.id) }
}

describe('a poll', () => {
  it('is created by admins, trimmed and without empty options [ADM-27, ADM-31, API-REST-36]', async () => {
    expect(await ask(admin, { title: ' Tea? ', description: '', options: [' Yes ', 'No', ' ', ''] })).toMatchObject({
      title: 'Tea?',
      description: null,
      options: '["Yes","No"]',
      is_active: true,
    })
    await expect(ask(fan)).rejects.toMatchObject(refused)
    await expect(ask('anon')).rejects.toMatchObject(refused)
  })

  it.each<[Poll, string]>([
    [{ title: ' ' }, 'Poll title is required'],
    [{ title: null }, 'Poll title is required'],
    [{ title: 'x'.repeat(201) }, 'A poll title can have up to 200 characters'],
    [{ description: 'x'.repeat(301) }, 'A poll description can have up to 300 characters'],
    [{ options: ['Yes', ' '] }, 'At least 2 poll options are required'],
    [{ options: Array.from({ length: 11 }, (_, i) => `${i}`) }, 'A poll can have up to 10 options'],
    [{ options: ['x'.repeat(101), 'No'] }, 'A poll option can have up to 100 characters'],
    [{ options: ['Yes', 'yes'] }, 'Poll options must be different'],
    [{ options: { a: 1 } }, 'options must be a JSON list of texts'],
    [{ options: [1, 2] }, 'options must be a JSON list of texts'],
    [{ options: 'Yes, No' }, 'options must be a JSON list of texts'],
    [{ options: '["\\u0000", "b"]' }, 'options must be a JSON list of texts'],
    [{ days: 2 }, 'A poll can run for 1, 3, 7, 14, or 30 days'],
    [{ days: -1 }, 'A poll can run for 1, 3, 7, 14, or 30 days'],
    [{ days: 365 }, 'A poll can run for 1, 3, 7, 14, or 30 days'],
  ])('is rejected as %j: %s [ADM-30, ADM-31, ADM-32, ADM-33, ADM-34]', async (poll, message) => {
    await expect(ask(admin, poll)).rejects.toMatchObject({ code: '23514', message })
  })

  it.each([1, 3, 7, 14, 30, 29.97])('can run for %d days, with an hour of tolerance [ADM-34]', async (days) => {
    await expect(ask(admin, { days })).resolves.toMatchObject({ title: 'Tea?' })
  })

  it('accepts the maximum of everything, and lasts seven days by default [ADM-32, ADM-33, ADM-34]', async () => {
    const options = Array.from({ length: 10 }, (_, i) => `${i}`.padEnd(100, 'é'))
    await ask(admin, { title: 't'.repeat(200), description: 'd'.repeat(300), options })
    const [row] = await world.as(
      admin,
      `insert into public.polls (title, options) values ('x', '["a","b"]') returning expires_at - created_at = '7 days' as week`,
    )
    expect(row).toEqual({ week: true })
  })

  it('is readable by signed-in users, can be closed early by admins, and never changes [ADM-38, API-REST-37, NOTI-16]', async () => {
    const { id } = await ask(admin)
    expect(await world.as(fan, 'select options from public.polls where id = $1', [id])).toEqual([
      { options: '["Yes","No"]' },
    ])
    expect(await world.as('anon', 'select from public.polls')).toEqual([])
    expect(await world.as(fan, 'update public.polls set is_active = false where id = $1 returning id', [id])).toEqual(
      [],
    )
    expect(await world.as(admin, 'update public.polls set is_active = false where id = $1 returning id', [id])).toEqual(
      [{ id }],
    )
    for (const attempt of [`update public.polls set options = '["a","b"]'`, 'delete from public.polls']) {
      await expect(world.as(admin, attempt)).rejects.toMatchObject(refused)
    }
  })
})
