import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let person: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  person = await world.buildPerson()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

const isAdmin = async (userId: string) =>
  (await world.as(admin, `select public.has_role($1, 'admin') as answer`, [userId]))[0]?.answer

describe('has_role and user_roles', () => {
  it('says who is an admin [RPC-01, GEN-42]', async () => {
    expect(await isAdmin(admin.userId)).toBe(true)
    expect(await isAdmin(person.userId)).toBe(false)
    await expect(world.as('anon', `select public.has_role($1, 'admin')`, [admin.userId])).rejects.toMatchObject(refused)
  })

  it('is the only source of the admin role: the code names no account and no address [GEN-42, DASH-15]', async () => {
    expect([await isAdmin(admin.userId), await isAdmin(person.userId)]).toEqual([true, false])
    await world.query('delete from public.user_roles where user_id = $1', [admin.userId])
    expect(await isAdmin(admin.userId)).toBe(false)
    await world.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [admin.userId])
    const root = fileURLToPath(new URL('../../..', import.meta.url))
    const sources = globSync(['{contract,server,web}/**/*.{ts,tsx}', 'database/migrations/*.sql'], {
      cwd: root,
      exclude: (name) => /node_modules|dist|testing$|\.test\./.test(name),
    })
    const account = /[\w.+-]+@[\w-]+\.[a-z]{2,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi
    const named = sources.flatMap((file) => readFileSync(join(root, file), 'utf8').match(account) ?? [])
    // A placeholder, and the lowest and highest id, which pages begin after.
    const known = ['name@example.com', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    expect([sources.length > 500, new Set(named).difference(new Set(known))]).toEqual([true, new Set()])
  })

  it('shows users only their own roles [API-REST-16]', async () => {
    const other = await world.buildAdmin()
    expect(await world.as(admin, 'select user_id, role from public.user_roles')).toEqual([
      { user_id: admin.userId, role: 'admin' },
    ])
    expect(await world.as(other, 'select user_id from public.user_roles')).toEqual([{ user_id: other.userId }])
    expect(await world.as(person, 'select from public.user_roles')).toEqual([])
    await expect(world.as('anon', 'select from public.user_roles')).rejects.toMatchObject(refused)
  })

  it('accepts no role from a client, not even from an admin [GEN-35]', async () => {
    for (const caller of [person, admin]) {
      await expect(
        world.as(caller, `insert into public.user_roles (user_id, role) values ($1, 'admin')`, [person.userId]),
      ).rejects.toMatchObject(refused)
      await expect(world.as(caller, 'delete from public.user_roles')).rejects.toMatchObject(refused)
    }
  })
})

describe('the first admin', () => {
  const settings = (email: string | null) =>
    world.query(`select private.apply_settings(jsonb_build_object('admin_email', $1::text))`, [email])

  it('is the account that confirms ADMIN_EMAIL, regardless of case [GEN-43, D8]', async () => {
    await settings('Boss@Example.com')
    const [row] = await world.query(`insert into auth.users (email) values ('boss@example.com') returning id`)
    const id = String(row?.id)
    expect(await isAdmin(id)).toBe(false)
    await world.query('update auth.users set email_confirmed_at = now() where id = $1', [id])
    expect(await isAdmin(id)).toBe(true)
  })

  it('can be an account that was confirmed before ADMIN_EMAIL was set [GEN-43]', async () => {
    const early = await world.buildPerson({ email: 'early@example.com' })
    expect(await isAdmin(early.userId)).toBe(false)
    await settings('early@example.com')
    expect(await isAdmin(early.userId)).toBe(true)
  })

  it("doesn't exist without ADMIN_EMAIL", async () => {
    await settings(null)
    const other = await world.buildPerson({ email: 'other@example.com' })
    expect(await isAdmin(other.userId)).toBe(false)
    expect(await world.query(`select from private.settings where key = 'admin_email'`)).toEqual([])
  })
})
