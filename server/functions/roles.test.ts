import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildShop, call, type Plan, refusalOf, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { buildAdmin, buildApplicant } from '../testing/people.ts'

/** What each role may do, as users of the product do it: with the official client, through every API. */
let shop: Shop
let admin: Person
let creator: Person
let plan: Plan
let poll: string

beforeAll(async () => {
  shop = await buildShop()
  admin = await buildAdmin(shop.gateway)
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
  poll = await buildPoll()
})
afterAll(() => shop.close())

const post = ({ profileId }: Person) => ({
  creator_id: profileId,
  title: 'First',
  content: 'Hello',
  post_type: 'free',
  media_urls: [],
  media_types: [],
})
async function publish(author: Person) {
  const { data } = await author.client.from('posts').insert(post(author)).select('id').single().throwOnError()
  return data.id as string
}
async function buildPoll() {
  const row = {
    title: 'Tea or coffee?',
    options: JSON.stringify(['Tea', 'Coffee']),
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  }
  return (await admin.client.from('polls').insert(row).select('id').single().throwOnError()).data.id as string
}
const applicationOf = async ({ userId }: Person) =>
  (
    await admin.client
      .from('creator_applications')
      .select('id, status, reviewed_at')
      .eq('user_id', userId)
      .single()
      .throwOnError()
  ).data
async function review(person: Person, decision: object) {
  const { id } = await applicationOf(person)
  await admin.client.from('creator_applications').update(decision).eq('id', id).throwOnError()
}
const flagsOf = async ({ client, profileId }: Person) =>
  (await client.from('profiles').select('is_creator, is_verified').eq('id', profileId).single().throwOnError()).data

describe('a fan', () => {
  it('browses, searches, follows, subscribes, comments, sends messages, votes, and reads notifications [GEN-03]', async () => {
    const fan = await shop.gateway.signUp()
    const { client, profileId } = fan
    const { data: found } = await client.rpc('discover_creators', {}, { get: true }).throwOnError()
    expect(found).toContainEqual(expect.objectContaining({ username: creator.username }))
    const search = client.rpc('search_profiles', { search: creator.username }, { get: true })
    expect((await search.throwOnError()).data).toMatchObject([{ id: creator.profileId }])
    await client.from('follows').insert({ follower_id: profileId, following_id: creator.profileId }).throwOnError()
    await subscribe(fan, plan)
    await shop.settled()
    expect(await call(fan, 'verify-subscription', { creatorId: creator.profileId })).toMatchObject({
      hasActiveSubscription: true,
    })
    await client
      .from('comments')
      .insert({ post_id: await publish(creator), user_id: profileId, content: 'Lovely' })
      .throwOnError()
    await client
      .from('messages')
      .insert({ sender_id: profileId, recipient_id: creator.profileId, content: 'Hello' })
      .throwOnError()
    await client.from('poll_votes').insert({ poll_id: poll, user_id: profileId, option_index: 0 }).throwOnError()
    await shop.gateway.query(`insert into public.notifications (user_id, type, title) values ($1, 'other', 'News')`, [
      profileId,
    ])
    const news = client.from('notifications').update({ is_read: true }).eq('title', 'News').select('is_read')
    expect((await news.throwOnError()).data).toEqual([{ is_read: true }])
  })
})

describe('a signed-in user', () => {
  it('may do everything that visitors must sign in for [GEN-39]', async () => {
    const postId = await publish(creator)
    const user = await buildApplicant(shop.gateway)
    const { client, profileId } = user
    const { anon } = shop.gateway
    const rows: Record<string, Record<string, unknown>> = {
      follows: { follower_id: profileId, following_id: creator.profileId },
      messages: { sender_id: profileId, recipient_id: creator.profileId, content: 'Hello' },
      comments: { post_id: postId, user_id: profileId, content: 'Lovely' },
      poll_votes: { poll_id: poll, user_id: profileId, option_index: 1 },
    }
    for (const [table, row] of Object.entries(rows)) {
      expect((await anon.from(table).insert(row)).status, table).toBe(401)
      expect((await client.from(table).insert(row)).error, table).toBeNull()
    }
    const search = client.rpc('search_profiles', { search: creator.username }, { get: true })
    expect((await search.throwOnError()).data).toHaveLength(1)
    const removed = client.from('comments').delete().eq('user_id', profileId).select('content')
    expect((await removed.throwOnError()).data).toEqual([{ content: 'Lovely' }])
    expect((await client.from('notifications').select('id')).error).toBeNull()
    const stats = client.rpc('get_referral_stats', { user_profile_id: profileId })
    expect((await stats.throwOnError()).data).toMatchObject({ total_referrals: 0 })
    expect(await applicationOf(user)).toMatchObject({ status: 'pending' })
    expect(await call(user, 'create-stripe-account')).toMatchObject({ has_stripe_account: true })
    expect(await refusalOf({ client: anon }, 'create-stripe-account')).toMatchObject({ status: 401 })
  })
})

describe('a creator', () => {
  it('is approved after the identity check, then connects a payout account, publishes, and sells [GEN-04]', async () => {
    const person = await buildApplicant(shop.gateway)
    const newPlan = { name: 'Backstage', price_cents: 999, interval: 'month' }
    expect(await flagsOf(person)).toEqual({ is_creator: false, is_verified: false })
    expect((await person.client.from('posts').insert(post(person))).status).toBe(403)
    // Plans may be prepared, but payouts come first (LOOP-08).
    expect(await refusalOf(person, 'create-subscription-product', newPlan)).toMatchObject({ status: 409 })
    await review(person, { status: 'approved' })
    expect(await flagsOf(person)).toEqual({ is_creator: true, is_verified: true })
    await call(person, 'create-stripe-account')
    await shop.onboard(person)
    expect(await call(person, 'check-stripe-status')).toMatchObject({ charges_enabled: true })
    await publish(person)
    expect(await call(person, 'create-subscription-product', newPlan)).toMatchObject({ product: newPlan })
    const stats = person.client.rpc('get_creator_stats', { creator_profile_id: person.profileId })
    expect((await stats.throwOnError()).data).toMatchObject({ total_earnings: 0, total_subscribers: 0 })
  })

  it('is one when an admin approves, and not when one rejects; the dashboard opens with the approval [ADM-06]', async () => {
    const [person, other] = [await buildApplicant(shop.gateway), await buildApplicant(shop.gateway)]
    const open = ({ client, profileId }: Person) =>
      client.from('posts').insert({ creator_id: profileId, content: 'Hello', post_type: 'free' })
    const before = Date.now()
    await review(other, { status: 'rejected', rejection_reason: 'The photo is blurred' })
    await review(person, { status: 'approved' })
    for (const [who, status] of [
      [person, 'approved'],
      [other, 'rejected'],
    ] as const) {
      const application = await applicationOf(who)
      expect(application.status).toBe(status)
      expect(new Date(application.reviewed_at ?? 0).getTime()).toBeGreaterThanOrEqual(before)
    }
    expect(await flagsOf(person)).toMatchObject({ is_creator: true })
    expect(await flagsOf(other)).toMatchObject({ is_creator: false })
    expect((await open(person)).status).toBe(201)
    expect((await open(other)).status).toBe(403)
    const stats = person.client.rpc('get_creator_stats', { creator_profile_id: person.profileId })
    expect((await stats.throwOnError()).data).toMatchObject({ total_subscribers: 0 })
  })

  it('prepares plans while the application waits, which open with the approval [LOOP-08]', async () => {
    const person = await buildApplicant(shop.gateway)
    await call(person, 'create-stripe-account')
    await shop.onboard(person)
    const newPlan = { name: 'Backstage', price_cents: 999, interval: 'month' }
    expect(await call(person, 'create-subscription-product', newPlan)).toMatchObject({ product: { is_active: false } })
    const plans = () => person.client.from('subscription_products')
    const plan = () => plans().select('is_active').eq('creator_id', person.profileId)
    expect((await plans().update({ is_active: true }).eq('creator_id', person.profileId)).error).not.toBeNull()
    await review(person, { status: 'approved' })
    expect((await plan().single().throwOnError()).data).toEqual({ is_active: true })
  })

  it('manages posts, plans, profile, and dashboard as their owner, and sees only their own earnings [GEN-41]', async () => {
    const other = await shop.buildCreator()
    const [own, theirs] = [await publish(creator), await publish(other)]
    const remove = (id: string) => creator.client.from('posts').delete().eq('id', id).select('id')
    expect((await remove(own)).data).toEqual([{ id: own }])
    expect((await remove(theirs)).data).toEqual([])
    const { id } = await shop.buildPlan(creator, { name: 'Second' })
    const product = { id, name: 'Renamed' }
    expect(await refusalOf(other, 'update-subscription-product', product)).toMatchObject({ status: 404 })
    expect(await call(creator, 'update-subscription-product', product)).toMatchObject({ product })
    const edit = (profileId: string) =>
      creator.client.from('profiles').update({ bio: 'Hello' }).eq('id', profileId).select('bio')
    expect((await edit(creator.profileId)).data).toEqual([{ bio: 'Hello' }])
    expect((await edit(other.profileId)).data).toEqual([])
    const stats = (profileId: string) => creator.client.rpc('get_creator_stats', { creator_profile_id: profileId })
    expect((await stats(creator.profileId)).error).toBeNull()
    expect((await stats(other.profileId)).status).toBe(403)
    const earned = async (profileId: string) =>
      (await creator.client.from('profiles').select('total_earnings').eq('id', profileId).single().throwOnError()).data
    expect(await earned(creator.profileId)).toEqual({ total_earnings: expect.any(Number) })
    expect(await earned(other.profileId)).toEqual({ total_earnings: null })
  })
})

describe('an admin', () => {
  it('reviews applications, manages users, handles support requests, broadcasts, and sees poll results [GEN-05]', async () => {
    const [approved, rejected] = [await buildApplicant(shop.gateway), await buildApplicant(shop.gateway)]
    await review(approved, { status: 'approved' })
    await review(rejected, { status: 'rejected', rejection_reason: 'Blurred' })
    expect([await applicationOf(approved), await applicationOf(rejected)]).toMatchObject([
      { status: 'approved', reviewed_at: expect.any(String) },
      { status: 'rejected', reviewed_at: expect.any(String) },
    ])
    const { data: users } = await admin.client.rpc('get_users_with_emails').throwOnError()
    expect(users).toContainEqual(expect.objectContaining({ email: rejected.email }))
    const newEmail = `new.${rejected.email}`
    await call(admin, 'update-user-email', { userId: rejected.userId, newEmail })
    await call(admin, 'delete-user-account', { userId: rejected.userId })
    expect(await shop.gateway.query('select from public.profiles where user_id = $1', [rejected.userId])).toEqual([])
    const request = { name: 'Ada', email: 'ada@example.com', subject: 'Help', category: 'Other', message: 'Please' }
    await shop.gateway.anon.from('support_requests').insert(request).throwOnError()
    const settled = admin.client.from('support_requests').update({ status: 'resolved' }).eq('subject', 'Help').select()
    expect((await settled.throwOnError()).data).toMatchObject([{ ...request, status: 'resolved' }])
    for (const [type, poll_ref] of [
      ['announcement', undefined],
      ['poll', poll],
    ]) {
      const about = { notification_type: type, notification_title: 'News', notification_message: 'Hello', poll_ref }
      const sent = await admin.client.rpc('broadcast_notification_to_all_users', about).throwOnError()
      expect(sent.data).toBeGreaterThan(2)
    }
    const { data: results } = await admin.client.rpc('get_poll_results', { for_poll_id: poll }).throwOnError()
    expect(results).toMatchObject([{ id: poll, results: [{ option: 'Tea' }, { option: 'Coffee' }] }])
  })
})
