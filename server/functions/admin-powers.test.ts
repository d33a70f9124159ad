import { termsVersion } from '@ovation/contract/texts/legal'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { buildShop, call, type Plan, refusalOf, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { buildAdmin, sessionless } from '../testing/people.ts'
import { runPostCommitJobs } from './run-post-commit-jobs.ts'

let shop: Shop
let admin: Person
let creator: Person
let plan: Plan
beforeAll(async () => {
  shop = await buildShop()
  admin = await buildAdmin(shop.gateway)
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
})
afterAll(() => shop?.close())

const suspend = ({ profileId }: Person, reason = 'Spam in every thread') =>
  admin.client.rpc('suspend_user', { profile_id: profileId, reason }).throwOnError()
const reinstate = ({ profileId }: Person) =>
  admin.client.rpc('reinstate_user', { profile_id: profileId }).throwOnError()
const lineOf = async (action: string, { profileId }: Person) =>
  (await admin.client.rpc('get_audit_log', { action, subject: profileId }).throwOnError()).data

it('locks a user out of every API at once, though the access token is still valid, and lets them in again [GEN-05, GEN-35]', async () => {
  const { gateway } = shop
  const [person, friend] = [await gateway.signUp(), await gateway.signUp()]
  // The token names no session, so the test proves the database's own check, not the end of the session.
  const client = await sessionless(gateway, person)
  const topic = `conversation:${[person.profileId, friend.profileId].toSorted().join(':')}`
  const statuses: string[] = []
  const room = client.channel(topic, { config: { private: true } }).subscribe((status) => statuses.push(status))
  await eventually(() => expect(statuses).toEqual(['SUBSCRIBED']))
  const path = `${person.userId}/1.txt`
  const upload = () =>
    client.storage.from('avatars').upload(path, Buffer.from('iVBORw0KGgo=', 'base64'), { contentType: 'image/png' })
  const write = () =>
    client.from('messages').insert({ sender_id: person.profileId, recipient_id: friend.profileId, content: 'Hello' })
  expect((await write()).error).toBeNull()

  await suspend(person)

  // realtime/v1
  await eventually(() => expect(statuses).toContain('CLOSED'))
  await client.removeChannel(room)
  const again: string[] = []
  client.channel(topic, { config: { private: true } }).subscribe((_status, error) => again.push(String(error?.message)))
  await eventually(() => expect(again[0]).toMatch(/permission/))
  await client.removeAllChannels()
  // rest/v1: nothing of their own is readable, and nothing writable
  expect((await write()).error?.code).toBe('42501')
  expect((await client.from('messages').select('id')).data).toEqual([])
  expect((await client.from('notifications').select('id')).data).toEqual([])
  expect((await client.from('profiles').update({ bio: 'Still here' }).eq('id', person.profileId)).error?.message).toBe(
    'Your account is suspended',
  )
  // storage/v1
  expect((await upload()).error).toMatchObject({ statusCode: '403' })
  // functions/v1
  expect(await refusalOf({ client }, 'export-own-data')).toMatchObject({
    status: 403,
    body: { code: 'account_suspended' },
  })
  // auth/v1: the sessions have ended, and no new one begins
  expect((await person.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
  expect((await person.client.auth.refreshSession()).error).not.toBeNull()
  const signIn = () => gateway.client().auth.signInWithPassword({ email: person.email, password: person.password })
  expect((await signIn()).error?.code).toBe('user_banned')
  // and nobody can reach them
  const reach = () =>
    friend.client
      .from('messages')
      .insert({ sender_id: friend.profileId, recipient_id: person.profileId, content: 'Are you there?' })
  expect((await reach()).error?.code).toBe('PT403')

  await reinstate(person)
  const { data, error } = await signIn()
  expect(error).toBeNull()
  expect((await reach()).error).toBeNull()
  const told = await gateway.query<{ title: string; message: string }>(
    `select title, message from public.notifications where user_id = $1 and title like 'Your account%' order by created_at`,
    [person.profileId],
  )
  expect(told).toMatchObject([
    { title: 'Your account is suspended', message: expect.stringContaining('Spam in every thread') },
    { title: 'Your account has been reinstated' },
  ])
  expect(data.user?.id).toBe(person.userId)
})

it('closes a creator to new fans, keeps what is paid for, and pauses renewals until they are back [GEN-05, SUB-17]', async () => {
  const { gateway } = shop
  const [fan, quitter] = [await gateway.signUp(), await gateway.signUp()]
  await subscribe(fan, plan)
  await subscribe(quitter, plan)
  await shop.settled()
  const [ended] = await gateway.query<{ id: string }>('select id from public.subscriptions where subscriber_id = $1', [
    quitter.profileId,
  ])
  await quitter.client.functions.invoke('cancel-subscription', { body: { subscriptionId: ended?.id } })
  const { data: post } = await creator.client
    .from('posts')
    .insert({ creator_id: creator.profileId, content: 'For all', post_type: 'free' })
    .select('id')
    .single()
  const renewals = async () => {
    await runPostCommitJobs(gateway.services)
    await shop.settled()
    const { data } = await gateway.service.from('subscriptions').select('subscriber_id, cancel_at_period_end')
    return Object.fromEntries((data ?? []).map((each) => [each.subscriber_id, !each.cancel_at_period_end]))
  }
  const sees = async (client: Person['client']) =>
    (await client.from('posts').select('id').eq('id', post?.id)).data?.length

  await suspend(creator)
  expect(await renewals()).toEqual({ [fan.profileId]: false, [quitter.profileId]: false })
  expect([await sees(fan.client), await sees(gateway.anon), await sees(admin.client)]).toEqual([1, 0, 1])
  expect((await gateway.anon.rpc('discover_creators')).data).toEqual([])
  expect((await gateway.anon.from('subscription_products').select('id')).data).toEqual([])
  const stranger = await gateway.signUp()
  expect(await refusalOf(stranger, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({
    status: 404,
  })
  const tip = { kind: 'tip', targetId: creator.profileId, amountCents: 500 }
  expect(await refusalOf(stranger, 'create-payment-checkout', tip)).toMatchObject({ status: 403 })

  await reinstate(creator)
  expect(await renewals()).toEqual({ [fan.profileId]: true, [quitter.profileId]: false })
  expect(await sees(gateway.anon)).toBe(1)
})

it('is for admins only, requires a reason, and never works against an admin or yourself [GEN-44]', async () => {
  const person = await shop.gateway.signUp()
  const ask = async (by: Person, whom: Person, reason = 'Spam') =>
    (await by.client.rpc('suspend_user', { profile_id: whom.profileId, reason })).error
  expect(await ask(person, creator)).toMatchObject({ code: '42501' })
  expect(await ask(admin, person, '  ')).toMatchObject({ code: '23514' })
  expect(await ask(admin, admin)).toMatchObject({ code: 'PT409', message: "You can't suspend yourself" })
  const second = await buildAdmin(shop.gateway)
  expect(await ask(admin, second)).toMatchObject({ code: 'PT409', message: "You can't suspend an admin" })
  expect(await ask(admin, person)).toBeNull()
  expect(await ask(admin, person)).toMatchObject({ code: 'PT409', message: 'This account is already suspended' })
  const held = await sessionless(shop.gateway, person)
  expect((await held.rpc('reinstate_user', { profile_id: person.profileId })).error?.code).toBe('42501')
  await reinstate(person)
  expect((await admin.client.rpc('reinstate_user', { profile_id: person.profileId })).error?.code).toBe('PT409')
  expect(await lineOf('suspend_user', person)).toMatchObject([
    {
      actor: admin.username,
      before: { suspended: false },
      after: { suspended: true },
      details: { reason: 'Spam' },
    },
  ])
  expect(await lineOf('reinstate_user', person)).toMatchObject([{ actor: admin.username }])
})

it('records which version of the terms a user accepted, and when [AUTH-07]', async () => {
  const person = await shop.gateway.signUp()
  const consent = () =>
    shop.gateway.query('select terms_accepted_at, terms_version from private.profiles where id = $1', [
      person.profileId,
    ])
  expect(await consent()).toEqual([{ terms_accepted_at: expect.any(Date), terms_version: termsVersion }])
  await shop.gateway.query(`select private.apply_settings('{"terms_version": "later"}')`)
  await person.client.rpc('accept_terms').throwOnError()
  expect(await consent()).toMatchObject([{ terms_version: termsVersion }]) // it was already given
})

it('broadcasts live to signed-in users [ADM-37, ADM-27]', async () => {
  const person = await shop.gateway.signUp()
  const heard: unknown[] = []
  const bell = person.client
    .channel('bell')
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, ({ new: row }) =>
      heard.push([row.type, row.title, row.message]),
    )
  await new Promise<void>((resolve) => bell.subscribe((status) => status === 'SUBSCRIBED' && resolve()))
  const { data: recipients } = await admin.client
    .rpc('broadcast_notification_to_all_users', {
      notification_type: 'announcement',
      notification_title: 'Maintenance',
      notification_message: 'Tonight at ten',
    })
    .throwOnError()
  expect(recipients).toBeGreaterThan(1)
  await eventually(() => expect(heard).toEqual([['announcement', 'Maintenance', 'Tonight at ten']]))
})

it('sends admins, and only them, live news of applications, support requests, and new users [ADM-04, API-RT-04]', async () => {
  const { gateway } = shop
  const follow = async ({ client }: Person) => {
    const heard: string[] = []
    const channel = client.channel('panel')
    for (const table of ['creator_applications', 'support_requests', 'profiles'])
      channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => {
        const { id } = (change.eventType === 'DELETE' ? change.old : change.new) as { id: string }
        heard.push(`${change.eventType} ${table} ${id}`)
      })
    await new Promise<void>((resolve) => channel.subscribe((status) => status === 'SUBSCRIBED' && resolve()))
    return heard
  }
  const stranger = await gateway.signUp()
  const [told, untold] = [await follow(admin), await follow(stranger)]
  const person = await gateway.signUp()
  const [front, back] = ['front', 'back'].map((side) => `${person.userId}/id_${side}_1.png`)
  for (const name of [front, back])
    await gateway.query(`insert into storage.objects (bucket_id, name, owner_id) values ('verification', $1, $2)`, [
      name,
      person.userId,
    ])
  const { data: application } = await person.client
    .from('creator_applications')
    .insert({
      user_id: person.userId,
      full_name: 'Ada',
      address: '1 Street',
      full_ssn: '900-11-2222',
      id_front_url: front,
      id_back_url: back,
    })
    .select('id')
    .single()
    .throwOnError()
  await gateway.anon
    .from('support_requests')
    .insert({ name: 'V', email: 'v@example.com', subject: 'Help', message: 'Please' })
    .throwOnError()
  const [request] = await gateway.query<{ id: string }>('select id from public.support_requests')
  await eventually(() =>
    expect(told).toEqual(
      expect.arrayContaining([
        `INSERT profiles ${person.profileId}`,
        `INSERT creator_applications ${application?.id}`,
        `INSERT support_requests ${request?.id}`,
      ]),
    ),
  )
  await admin.client
    .from('creator_applications')
    .update({ status: 'rejected', rejection_reason: 'Blurred' })
    .eq('id', application?.id)
    .throwOnError()
  await eventually(() => expect(told).toContain(`UPDATE creator_applications ${application?.id}`))
  // Everyone may see profiles, but not applications and support requests. If any had been sent to the user, it would have come before.
  const last = await gateway.signUp()
  await eventually(() => expect(untold).toContain(`INSERT profiles ${last.profileId}`))
  expect(untold.filter((line) => !/ profiles /.test(line))).toEqual([])
  await Promise.all([admin, stranger].map(({ client }) => client.removeAllChannels()))
})

it('shows an admin the health of every service, and the jobs that have failed for good [GEN-05]', async () => {
  const { jobs } = shop.gateway.services
  const [failed] = await shop.gateway.query<{ id: string }>(
    `insert into pgboss.job (name, state, output, completed_on, retry_count, data)
     values ('payment-emails', 'failed', '{"message": "connect ECONNREFUSED"}', now(), 3, '{}') returning id`,
  )
  const health = await call<{ parts: { part: string; state: string }[]; failedJobs: unknown[] }>(
    admin,
    'get-system-health',
  )
  expect(health.parts.map(({ part, state }) => `${part} ${state}`)).toEqual([
    'database ok',
    'storage ok',
    'payments ok',
    'mail ok',
  ])
  expect(health.failedJobs).toMatchObject([
    { id: failed?.id, queue: 'payment-emails', retries: 3, reason: 'connect ECONNREFUSED' },
  ])
  expect(JSON.stringify(health)).not.toContain(shop.gateway.secrets.jwtSecret)

  expect(await call(admin, 'retry-job', { jobId: failed?.id })).toEqual({ success: true, queue: 'payment-emails' })
  await expect.poll(() => jobs.listFailed(10), { timeout: 10_000 }).toEqual([])
  expect(await refusalOf(admin, 'retry-job', { jobId: failed?.id })).toMatchObject({ status: 404 })
  const { data: lines } = await admin.client.rpc('get_audit_log', { action: 'retry_job' })
  expect(lines).toMatchObject([{ actor: admin.username, subject_id: failed?.id, before: { state: 'failed' } }])
  const fan = await shop.gateway.signUp()
  for (const name of ['get-system-health', 'retry-job'])
    expect(await refusalOf(fan, name, { jobId: failed?.id })).toMatchObject({ status: 403 })
})

it("does nothing for an admin if the audit log can't record it [DATA-25]", async () => {
  const { jobs } = shop.gateway.services
  const [failed] = await shop.gateway.query<{ id: string }>(
    `insert into pgboss.job (name, state, output, completed_on, data)
     values ('payment-emails', 'failed', '{"message": "none"}', now(), '{}') returning id`,
  )
  await shop.gateway.query(
    `alter table public.audit_log add constraint full_up check (action <> 'retry_job') not valid`,
  )
  expect(await refusalOf(admin, 'retry-job', { jobId: failed?.id })).toMatchObject({ status: 500 })
  expect(await jobs.listFailed(10)).toMatchObject([{ id: failed?.id }])
  await shop.gateway.query('alter table public.audit_log drop constraint full_up')
  expect(await call(admin, 'retry-job', { jobId: failed?.id })).toMatchObject({ success: true })
  await expect.poll(() => jobs.listFailed(10), { timeout: 10_000 }).toEqual([])
})

it("reports a service that doesn't respond, and all others anyway [GEN-05]", async () => {
  await shop.sandbox.close()
  const { parts } = await call<{ parts: { part: string; state: string; seen: string }[] }>(admin, 'get-system-health')
  expect(parts.filter(({ state }) => state === 'failed').map(({ part }) => part)).toEqual(['payments'])
  expect(parts).toHaveLength(4)
})
