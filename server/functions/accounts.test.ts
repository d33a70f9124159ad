import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPaidPost } from '../payments/testing/paid-post.ts'
import { buildShop, call, refusalOf, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { onePixel } from '../testing/one-pixel.ts'
import { buildAdmin } from '../testing/people.ts'

let shop: Shop
let admin: Person
beforeAll(async () => {
  shop = await buildShop()
  admin = await buildAdmin(shop.gateway)
})
afterAll(() => shop.close())

const exists = async ({ userId }: Person) =>
  (await shop.gateway.query('select from auth.users where id = $1', [userId])).length === 1
const running = async () =>
  (await shop.stripe.subscriptions.list({ status: 'all', limit: 100 })).data.filter(
    ({ status }) => status !== 'canceled',
  )
const openTasks = () => shop.gateway.query('select kind, error from private.payment_tasks where done_at is null')

describe('delete-own-account', () => {
  it('requires the password, and deletes nothing with a wrong one [SET-14, D6]', async () => {
    const person = await shop.gateway.signUp()
    expect(await refusalOf(person, 'delete-own-account', { password: 'wrong horse' })).toMatchObject({
      status: 403,
      body: { success: false, code: 'wrong_password', field: 'password' },
    })
    expect(await refusalOf(person, 'delete-own-account')).toMatchObject({ status: 400, body: { field: 'password' } })
    expect(await refusalOf({ client: shop.gateway.anon }, 'delete-own-account', { password: 'x' })).toMatchObject({
      status: 401,
    })
    expect(await exists(person)).toBe(true)
    for (let attempt = 0; attempt < 4; attempt++) {
      await refusalOf(person, 'delete-own-account', { password: `guess ${attempt}` })
    }
    expect(await refusalOf(person, 'delete-own-account', { password: person.password })).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts' },
    })
    expect(await exists(person)).toBe(true)
  })

  it('ends the account, its fans’ subscriptions, and its files, but keeps the books [SET-14, D6]', async () => {
    const creator = await shop.buildCreator()
    const plan = await shop.buildPlan(creator)
    const fan = await shop.gateway.signUp()
    await subscribe(fan, plan)
    await shop.settled()
    const path = `${creator.userId}/photo.png`
    await creator.client.storage.from('posts').upload(path, onePixel, { contentType: 'image/png' })
    const [file] = await shop.gateway.query<{ version: string }>(
      'select version from storage.objects where name = $1',
      [path],
    )
    const version = file?.version ?? ''
    const bytes = join(shop.gateway.dataDir, 'storage', 'objects', version.slice(0, 2), version)
    expect(version).not.toBe('')
    expect(existsSync(bytes)).toBe(true)
    await buildPaidPost(creator)
    expect(await running()).toHaveLength(1)

    expect(await call(creator, 'delete-own-account', { password: creator.password })).toEqual({ success: true })
    expect(await exists(creator)).toBe(false)
    await expect.poll(running, { timeout: 20_000 }).toEqual([])
    await expect.poll(openTasks, { timeout: 20_000 }).toEqual([])
    await expect.poll(() => shop.gateway.query('select from private.storage_removals'), { timeout: 20_000 }).toEqual([])
    expect(existsSync(bytes)).toBe(false)
    await shop.settled()
    const { error: signIn } = await shop.gateway
      .client()
      .auth.signInWithPassword({ email: creator.email, password: creator.password })
    expect(signIn).not.toBeNull()
    expect(await refusalOf(creator, 'verify-payment', { targetId: crypto.randomUUID() })).toMatchObject({
      status: 401,
      body: { code: 'session_ended' },
    })
    expect(await shop.gateway.query('select * from private.verify_ledger()')).toEqual([])
    expect(
      await shop.gateway.query('select amount from public.transactions where from_user_id = $1', [fan.profileId]),
    ).toEqual([{ amount: '999' }])
  })

  it('lets a fan without payments go, and deletes the customer at the provider', async () => {
    const plan = await shop.buildPlan(await shop.buildCreator())
    const fan = await shop.gateway.signUp()
    await subscribe(fan, plan)
    await shop.settled()
    await call(fan, 'delete-own-account', { password: fan.password })
    await expect.poll(running, { timeout: 20_000 }).toEqual([])
    await expect
      .poll(async () => (await shop.stripe.customers.list({ email: fan.email })).data, { timeout: 20_000 })
      .toEqual([])
    // A task is marked done once the provider has responded.
    await expect.poll(openTasks).toEqual([])
  })
})

describe('delete-user-account', () => {
  it('is for admins, and only for other accounts [API-FN-11, D24]', async () => {
    const person = await shop.gateway.signUp()
    const stranger = await shop.gateway.signUp()
    const body = { userId: person.userId }
    expect(await refusalOf(stranger, 'delete-user-account', body)).toMatchObject({ status: 403 })
    expect(await refusalOf(admin, 'delete-user-account', { userId: admin.userId })).toMatchObject({ status: 409 })
    expect(await exists(person)).toBe(true)
    expect(await call(admin, 'delete-user-account', body)).toEqual({ success: true })
    expect(await exists(person)).toBe(false)
    expect(await refusalOf(admin, 'delete-user-account', body)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    })
  })
})

it('neither deletes nor re-addresses another admin, until the role is revoked [ADM-17, ADM-19]', async () => {
  const other = await buildAdmin(shop.gateway)
  const newEmail = `taken-over-${other.email}`
  const acts = [
    ['delete-user-account', { userId: other.userId }],
    ['update-user-email', { userId: other.userId, newEmail }],
  ] as const
  for (const [name, body] of acts)
    expect(await refusalOf(admin, name, body)).toMatchObject({
      status: 403,
      body: { error: 'This account belongs to an admin. The operator has to revoke the admin role first.' },
    })
  expect(await shop.gateway.query('select email from auth.users where id = $1', [other.userId])).toEqual([
    { email: other.email },
  ])
  const logged = () =>
    shop.gateway.query<{ action: string }>(
      `select action from public.audit_log where subject_id = $1 and action in ('change_email', 'delete_account') order by created_at`,
      [other.userId],
    )
  expect(await logged()).toEqual([])
  await shop.gateway.query('delete from public.user_roles where user_id = $1', [other.userId])
  expect(await call(admin, 'update-user-email', { userId: other.userId, newEmail })).toMatchObject({ success: true })
  expect(await call(admin, 'delete-user-account', { userId: other.userId })).toEqual({ success: true })
  expect(await logged()).toEqual([{ action: 'change_email' }, { action: 'delete_account' }])
})

describe('update-user-email', () => {
  it('changes the sign-in email, for admins only [API-FN-10, D24]', async () => {
    const person = await shop.gateway.signUp()
    const newEmail = `New.${person.email}`
    expect(await refusalOf(person, 'update-user-email', { userId: person.userId, newEmail })).toMatchObject({
      status: 403,
    })
    expect(await call(admin, 'update-user-email', { userId: person.userId, newEmail })).toEqual({
      success: true,
      email: newEmail.toLowerCase(),
    })
    const { error } = await shop.gateway
      .client()
      .auth.signInWithPassword({ email: newEmail, password: person.password })
    expect(error).toBeNull()
  })

  it('keeps the addresses out of the permanent log, and writes them to the temporary one [DATA-25]', async () => {
    const person = await shop.gateway.signUp()
    const newEmail = 'nora.newman@example.org'
    await call(admin, 'update-user-email', { userId: person.userId, newEmail })
    expect(
      await shop.gateway.query(
        `select actor_id, before, after, details from public.audit_log where action = 'change_email' and subject_id = $1`,
        [person.userId],
      ),
    ).toEqual([
      {
        actor_id: admin.userId,
        before: { email: `${person.email.at(0)}…@${person.email.split('@')[1]}` },
        after: { email: 'n…@example.org' },
        details: {},
      },
    ])
    expect(
      await shop.gateway.query(
        `select payload ->> 'actor_username' as was, payload -> 'traits' as traits from auth.audit_log_entries
         where payload ->> 'action' = 'user_modified' and payload ->> 'actor_id' = $1`,
        [person.userId],
      ),
    ).toEqual([{ was: person.email, traits: { by: admin.userId, email: newEmail } }])
  })

  it('rejects an empty email and the current one, logs nothing, and accepts another [ADM-17, API-FN-10]', async () => {
    const person = await shop.gateway.signUp()
    for (const newEmail of ['', person.email.toUpperCase()])
      expect(await refusalOf(admin, 'update-user-email', { userId: person.userId, newEmail })).toMatchObject({
        status: 400,
        body: { field: 'newEmail' },
      })
    expect(
      await shop.gateway.query(`select from public.audit_log where action = 'change_email' and subject_id = $1`, [
        person.userId,
      ]),
    ).toEqual([])
    const newEmail = `new.${person.email}`
    expect(await call(admin, 'update-user-email', { userId: person.userId, newEmail })).toMatchObject({
      email: newEmail,
    })
  })

  it('rejects an invalid email, one that is taken, and an unknown user', async () => {
    const person = await shop.gateway.signUp()
    const ask = (body: object) => refusalOf(admin, 'update-user-email', { userId: person.userId, ...body })
    expect(await ask({ newEmail: 'nobody' })).toMatchObject({ status: 400, body: { field: 'newEmail' } })
    expect(await ask({ newEmail: admin.email })).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    expect(await ask({ newEmail: 'a@example.com', userId: crypto.randomUUID() })).toMatchObject({ status: 404 })
    expect(await shop.gateway.query('select email from auth.users where id = $1', [person.userId])).toEqual([
      { email: person.email },
    ])
  })
})
