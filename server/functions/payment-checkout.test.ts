import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildPaidPost } from '../payments/testing/paid-post.ts'
import { buildShop, call, pay, refusalOf, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

let shop: Shop
let creator: Person
let fan: Person
let postId: string
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
})
beforeEach(async () => {
  fan = await shop.gateway.signUp()
  postId = await buildPaidPost(creator)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => shop.close())

type Url = { url: string }
const checkout = (body: Record<string, unknown>, person = fan) => call<Url>(person, 'create-payment-checkout', body)
const buy = () => checkout({ kind: 'ppv', targetId: postId })
const tip = (amountCents: number, more = {}) =>
  checkout({ kind: 'tip', targetId: creator.profileId, amountCents, ...more })
const refuse = (body: Record<string, unknown>, person = fan) => refusalOf(person, 'create-payment-checkout', body)
const verify = (body: Record<string, unknown>, person = fan) => call(person, 'verify-payment', body)

const seen = async (person = fan) =>
  (await person.client.from('posts').select('is_locked, content').eq('id', postId).single()).data
const transactions = (person = fan) =>
  shop.gateway.query<{ transaction_type: string; amount: string }>(
    `select transaction_type, amount, fee_amount, net_amount, post_id from public.transactions
     where from_user_id = $1 order by created_at, amount`,
    [person.profileId],
  )
const told = (type: string) =>
  shop.gateway.query<{ title: string; message: string }>(
    `select title, message from public.notifications where user_id = $1 and type = $2 and data ->> 'profile_id' = $3`,
    [creator.profileId, type, fan.profileId],
  )
const sound = () => expectBalancedBooks(shop)
const sessionOf = (location: string | null) => new URL(location ?? '').searchParams

describe('creators and fans', () => {
  it('publish for everyone, for subscribers, and for a price; follow, subscribe, tip, comment, and message [GEN-01]', async () => {
    const forAll = await buildPaidPost(creator, { post_type: 'free', ppv_price: null })
    const plan = await shop.buildPlan(creator)
    const audience = { post_type: 'subscription', ppv_price: null, required_tier_id: plan.id }
    const forSubscribers = await buildPaidPost(creator, audience)
    const posts = [forAll, forSubscribers, postId]
    const locked = async () => {
      const { data } = await fan.client.from('posts').select('id').in('id', posts).eq('is_locked', true).throwOnError()
      return posts.filter((post) => data.some(({ id }) => id === post))
    }
    expect(await locked()).toEqual([forSubscribers, postId])
    await fan.client
      .from('follows')
      .insert({ follower_id: fan.profileId, following_id: creator.profileId })
      .throwOnError()
    await subscribe(fan, plan)
    await shop.settled()
    expect(await locked()).toEqual([postId])
    await pay((await buy()).url)
    await pay((await tip(700)).url)
    await shop.settled()
    expect(await locked()).toEqual([])
    await fan.client
      .from('comments')
      .insert({ post_id: forSubscribers, user_id: fan.profileId, content: 'Worth every cent' })
      .throwOnError()
    await fan.client
      .from('messages')
      .insert({ sender_id: fan.profileId, recipient_id: creator.profileId, content: 'Thank you' })
      .throwOnError()

    const of = (table: string, columns: string, column: string) =>
      creator.client.from(table).select(columns).eq(column, fan.profileId).throwOnError()
    expect((await of('follows', 'following_id', 'follower_id')).data).toEqual([{ following_id: creator.profileId }])
    expect((await of('comments', 'content', 'user_id')).data).toEqual([{ content: 'Worth every cent' }])
    expect((await of('messages', 'content', 'sender_id')).data).toEqual([{ content: 'Thank you' }])
    expect((await transactions()).map(({ transaction_type, amount }) => [transaction_type, amount]).toSorted()).toEqual(
      [
        ['ppv', '500'],
        ['subscription', '999'],
        ['tip', '700'],
      ],
    )
    await sound()
  })
})

describe('buying a post', () => {
  it('charges its price, unlocks it, and notifies the creator [POST-44, POST-45, POST-46, API-FN-15, GEN-06]', async () => {
    expect(await seen()).toMatchObject({ is_locked: true })
    expect(await verify({ targetId: postId })).toEqual({
      status: 'none',
      kind: null,
      targetId: postId,
      amountCents: null,
      hasAccess: false,
      refund: null,
    })
    const { url } = await buy()
    expect(await verify({ targetId: postId })).toMatchObject({ status: 'open', hasAccess: false })
    const { status, location } = await pay(url)
    expect(status).toBe(303)
    expect(location).toMatch(`${shop.gateway.url}/post/${postId}?purchase=cs_`)
    const sessionId = sessionOf(location).get('purchase')
    expect(await verify({ sessionId })).toEqual({
      status: 'paid',
      kind: 'ppv',
      targetId: postId,
      amountCents: 500,
      hasAccess: true,
      refund: null,
    })
    await shop.settled()
    expect(await seen()).toMatchObject({ is_locked: false, content: expect.stringContaining('the secret') })
    expect(await transactions()).toEqual([
      { transaction_type: 'ppv', amount: '500', fee_amount: '50', net_amount: '450', post_id: postId },
    ])
    expect(await told('payment')).toEqual([
      { title: `${fan.username} bought your post`, message: 'You earned $4.50 from "A paid post".' },
    ])
    await sound()
  })

  it("opens one page on a double click, and doesn't sell the same post again", async () => {
    const [first, second] = await Promise.all([buy(), buy()])
    expect(second).toEqual(first)
    expect(await buy()).toEqual(first)
    await pay(first.url)
    expect(await refuse({ kind: 'ppv', targetId: postId })).toMatchObject({
      status: 409,
      body: { success: false, error: "You've already bought this post" },
    })
    await shop.settled()
    expect(await transactions()).toHaveLength(1)
  })

  it('opens no page while the provider is processing one, or one is paid at this very moment', async () => {
    const first = await buy()
    // At another price, it needs a new page.
    await shop.gateway.query('update private.posts set ppv_price = 800 where id = $1', [postId])
    const { sessions } = shop.stripe.checkout
    const busy = new Stripe.errors.StripeInvalidRequestError({ type: 'invalid_request_error', message: 'in progress' })
    const expire = sessions.expire.bind(sessions)
    vi.spyOn(sessions, 'expire')
      .mockRejectedValueOnce(busy)
      .mockImplementationOnce(async (id) => {
        await pay(first.url)
        return expire(id)
      })
    expect(await buy()).toEqual(first)
    expect(await refuse({ kind: 'ppv', targetId: postId })).toMatchObject({ status: 409 })
    const pages = await shop.gateway.query('select status from private.checkout_sessions where post_id = $1', [postId])
    expect(pages).toEqual([{ status: 'complete' }])
    await shop.settled()
    expect(await transactions()).toMatchObject([{ amount: '500' }])
  })

  it('grants nothing for a page that is only open, was declined, or is another fan’s', async () => {
    const { url } = await buy()
    expect((await pay(url, '4000 0000 0000 0002')).status).not.toBe(303)
    await shop.settled()
    expect(await verify({ targetId: postId })).toMatchObject({ status: 'open', hasAccess: false })
    expect(await transactions()).toEqual([])
    const { location } = await pay(url)
    const sessionId = sessionOf(location).get('purchase')
    const stranger = await shop.gateway.signUp()
    expect(await refusalOf(stranger, 'verify-payment', { sessionId })).toMatchObject({
      status: 404,
      body: { code: 'payment_not_found' },
    })
    expect(await verify({ targetId: postId }, stranger)).toMatchObject({ status: 'none', hasAccess: false })
    expect(await seen(stranger)).toMatchObject({ is_locked: true })
  })

  it("rejects what isn't for sale to this user [PROF-22]", async () => {
    const free = await buildPaidPost(creator, { post_type: 'free', ppv_price: null })
    for (const targetId of [free, crypto.randomUUID()]) {
      expect(await refuse({ kind: 'ppv', targetId })).toMatchObject({ status: 404, body: { code: 'post_not_found' } })
    }
    expect(await refuse({ kind: 'ppv', targetId: postId }, creator)).toMatchObject({ status: 409 })
    expect(await refuse({ kind: 'ppv', targetId: postId, amountCents: 100 })).toMatchObject({
      status: 400,
      body: { field: 'amountCents' },
    })
    const shy = await shop.buildCreator()
    const hidden = await buildPaidPost(shy)
    await shy.client.from('profiles').update({ is_private: true }).eq('id', shy.profileId)
    expect(await refuse({ kind: 'ppv', targetId: hidden })).toMatchObject({ status: 404 })
    const poor = await shop.buildApproved()
    const unsellable = await buildPaidPost(poor)
    expect(await refuse({ kind: 'ppv', targetId: unsellable })).toMatchObject({
      status: 409,
      body: { error: "This creator can't take payments right now" },
    })
    expect(await refuse({ kind: 'ppv', targetId: postId }, { ...fan, client: shop.gateway.anon })).toMatchObject({
      status: 401,
    })
  })

  it('counts once, however often, late, and in whatever order the events arrive', async () => {
    const { url } = await buy()
    await pay(url)
    await shop.settled()
    const before = await transactions()
    await shop.gateway.query(
      `update private.stripe_events set processed_at = null where type in ('payment_intent.succeeded', 'checkout.session.completed')`,
    )
    const events = await shop.gateway.query<{ id: string }>(
      'select id from private.stripe_events where processed_at is null order by id desc',
    )
    for (const { id } of events) await shop.gateway.services.jobs.send({ name: 'stripe-event' }, { eventId: id }, id)
    await shop.settled()
    expect(await transactions()).toEqual(before)
    expect(await told('payment')).toHaveLength(1)
    await sound()
  })
})

describe('tipping', () => {
  it('charges what the fan chose, and notifies the creator [PROF-21, D28, GEN-06]', async () => {
    const { url } = await tip(2_500, { postId })
    const { location } = await pay(url)
    // Back to the post under which it was given.
    expect(location).toMatch(`${shop.gateway.url}/post/${postId}?tip=cs_`)
    expect(await shop.stripe.checkout.sessions.retrieve(sessionOf(location).get('tip') ?? '')).toMatchObject({
      cancel_url: `${shop.gateway.url}/post/${postId}?checkout=left`,
    })
    await shop.settled()
    expect(await verify({ sessionId: sessionOf(location).get('tip') })).toEqual({
      status: 'paid',
      kind: 'tip',
      targetId: creator.profileId,
      amountCents: 2_500,
      hasAccess: true,
      refund: null,
    })
    expect(await transactions()).toEqual([
      { transaction_type: 'tip', amount: '2500', fee_amount: '250', net_amount: '2250', post_id: postId },
    ])
    expect(await told('tip')).toEqual([{ title: `${fan.username} tipped you $25.00`, message: 'You earned $22.50.' }])
    expect(await seen()).toMatchObject({ is_locked: true }) // a tip unlocks nothing
    await sound()
  })

  it('accepts a second tip of the same amount, and closes the page of another amount', async () => {
    const first = await tip(500)
    expect(await tip(500)).toEqual(first)
    await pay(first.url)
    const second = await tip(500)
    expect(second.url).not.toBe(first.url)
    const other = await tip(1_000)
    expect((await pay(other.url)).status).toBe(303)
    await expect(pay(second.url)).rejects.toThrow('no form')
    await shop.settled()
    expect(await transactions()).toMatchObject([{ amount: '500' }, { amount: '1000' }])
  })

  it('passes a note on to the creator, in one line and without marks that turn text around [PROF-21]', async () => {
    const note = ' Your valley\u202e picture\nhangs\t in my kitchen 🌄 '
    const { url } = await tip(500, { note })
    expect(await tip(500, { note })).toEqual({ url })
    const other = await tip(500, { note: 'Another note' })
    expect(other.url).not.toBe(url) // a page pays what it was opened for
    await expect(pay(url)).rejects.toThrow('no form')
    await pay((await tip(500, { note })).url)
    await shop.settled()
    expect(await told('tip')).toEqual([
      {
        title: `${fan.username} tipped you $5.00`,
        message: 'You earned $4.50. “Your valley picture hangs in my kitchen 🌄”',
      },
    ])
    await sound()
  })

  it.each([
    ['too long', { note: '🌄'.repeat(201) }],
    ['not text', { note: 7 }],
    ['text with a character that the database rejects', { note: 'a\0b' }],
  ])('refuses a note that is %s', async (_what, more) => {
    expect(await refuse({ kind: 'tip', targetId: creator.profileId, amountCents: 500, ...more })).toMatchObject({
      status: 400,
      body: { code: 'invalid_field', field: 'note' },
    })
  })

  it.each([99, 50_001, 0, -500, 100.5, '500', null, 1e300, undefined])('refuses %s cents', async (amountCents) => {
    expect(await refuse({ kind: 'tip', targetId: creator.profileId, amountCents })).toMatchObject({
      status: 400,
      body: { code: 'invalid_field', field: 'amountCents' },
    })
  })

  it("rejects an unknown creator, yourself, a block, and another creator's post", async () => {
    expect(await refuse({ kind: 'tip', targetId: crypto.randomUUID(), amountCents: 500 })).toMatchObject({
      status: 404,
    })
    expect(await refuse({ kind: 'tip', targetId: creator.profileId, amountCents: 500 }, creator)).toMatchObject({
      status: 409,
      body: { error: "You can't pay yourself" },
    })
    const other = await shop.buildCreator()
    expect(await refuse({ kind: 'tip', targetId: other.profileId, amountCents: 500, postId })).toMatchObject({
      status: 404,
    })
    await shop.gateway.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      other.profileId,
      fan.profileId,
    ])
    expect(await refuse({ kind: 'tip', targetId: other.profileId, amountCents: 500 })).toMatchObject({ status: 403 })
  })
})

it.each([
  [{ kind: 'loan', targetId: crypto.randomUUID() }, 'kind'],
  [{ kind: 'tip', targetId: 'x' }, 'targetId'],
  [{}, 'kind'],
])('names the invalid field in %j', async (body, field) => {
  expect(await refuse(body)).toMatchObject({ status: 400, body: { field } })
})
