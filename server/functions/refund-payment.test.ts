import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildPaidPost } from '../payments/testing/paid-post.ts'
import { buildShop, call, pay, refusalOf, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { buildAdmin } from '../testing/people.ts'

let shop: Shop
let creator: Person
let fan: Person
beforeAll(async () => {
  shop = await buildShop()
})
beforeEach(async () => {
  creator = await shop.buildCreator()
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

const paymentOf = async () =>
  (
    await shop.gateway.query<{ id: string; status: string; refunded_amount: string; cause: string }>(
      `select t.id, t.status, t.refunded_amount, l.cause from public.transactions t
       join private.ledger_transactions l on l.id = t.ledger_transaction_id
       where t.from_user_id = $1 and t.amount > 0 order by t.created_at, t.id`,
      [fan.profileId],
    )
  )[0]
const refundsOf = () =>
  shop.gateway.query(
    `select amount, fee_amount, net_amount, reason from public.transactions where from_user_id = $1 and transaction_type = 'refund'`,
    [fan.profileId],
  )
async function buyPost(): Promise<string> {
  const targetId = await buildPaidPost(creator)
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', { kind: 'ppv', targetId })
  await pay(url)
  await shop.settled()
  return targetId
}
const locked = async (postId: string) =>
  (await fan.client.from('posts').select('is_locked').eq('id', postId).single()).data?.is_locked
const sound = () => expectBalancedBooks(shop)

describe('refund-payment', () => {
  it('refunds a purchased post: money, fee, and access [API-FN-15, POST-44, GEN-06]', async () => {
    const postId = await buyPost()
    expect(await locked(postId)).toBe(false)
    const payment = await paymentOf()
    const body = { transactionId: payment?.id, reason: 'Not what was promised' }
    expect(await call(creator, 'refund-payment', body)).toMatchObject({
      success: true,
      transaction: { id: payment?.id, status: 'refunded' },
    })
    await shop.settled()
    expect(await locked(postId)).toBe(true)
    expect(await refundsOf()).toEqual([
      { amount: '-500', fee_amount: '-50', net_amount: '-450', reason: 'Not what was promised' },
    ])
    expect(await refusalOf(creator, 'refund-payment', body)).toMatchObject({
      status: 409,
      body: { code: 'already_refunded' },
    })
    await sound()
  })

  it('says on the page of a purchase and of a tip that the payment was refunded [POST-45, PROF-21]', async () => {
    const postId = await buyPost()
    const verify = (body: Record<string, unknown>) => call(fan, 'verify-payment', body)
    expect(await verify({ targetId: postId })).toMatchObject({ status: 'paid', hasAccess: true, refund: null })
    await call(creator, 'refund-payment', { transactionId: (await paymentOf())?.id, reason: 'Not as described' })
    await shop.settled()
    const refund = { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), amountCents: 500, hasFailed: false }
    expect(await verify({ targetId: postId })).toMatchObject({ status: 'refunded', hasAccess: false, refund })

    // Bought again, it is theirs again.
    const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', { kind: 'ppv', targetId: postId })
    await pay(url)
    await shop.settled()
    expect(await verify({ targetId: postId })).toMatchObject({ status: 'paid', hasAccess: true, refund: null })

    const tip = async (amountCents: number) => {
      const order = { kind: 'tip', targetId: creator.profileId, amountCents }
      const { location } = await pay((await call<{ url: string }>(fan, 'create-payment-checkout', order)).url)
      await shop.settled()
      return { sessionId: new URL(location ?? '').searchParams.get('tip') }
    }
    const [kept, returned] = [await tip(700), await tip(800)]
    const [last] = await shop.gateway.query<{ id: string }>(
      'select id from public.transactions where from_user_id = $1 and amount = 800',
      [fan.profileId],
    )
    await call(creator, 'refund-payment', { transactionId: last?.id, reason: 'Given twice' })
    await shop.settled()
    expect(await verify(returned)).toMatchObject({ status: 'refunded', refund: { ...refund, amountCents: 800 } })
    expect(await verify(kept)).toMatchObject({ status: 'paid', hasAccess: true, refund: null })
  })

  it('says on the success page that a subscription was refunded, until the fan pays again [SUB-13]', async () => {
    const plan = await shop.buildPlan(creator)
    const verify = () => call(fan, 'verify-subscription', { creatorId: creator.profileId })
    await subscribe(fan, plan)
    await shop.settled()
    await call(creator, 'refund-payment', { transactionId: (await paymentOf())?.id, reason: 'Not for me' })
    await shop.settled()
    expect(await verify()).toMatchObject({
      hasActiveSubscription: false,
      isAwaited: false,
      refund: { amountCents: 999, hasFailed: false },
      subscription: { creator: { id: creator.profileId } },
    })
    await call(fan, 'create-subscription-checkout', { productId: plan.id })
    expect(await verify()).toMatchObject({ isAwaited: true, refund: null })
  })

  it('refunds once on a double click', async () => {
    await buyPost()
    const body = { transactionId: (await paymentOf())?.id, reason: 'Twice' }
    await Promise.allSettled([call(creator, 'refund-payment', body), call(creator, 'refund-payment', body)])
    await shop.settled()
    expect(await refundsOf()).toHaveLength(1)
    await sound()
  })

  it('ends a subscription that an admin refunds, here and at the provider', async () => {
    const admin = await buildAdmin(shop.gateway)
    await subscribe(fan, await shop.buildPlan(creator))
    await shop.settled()
    await call(admin, 'refund-payment', { transactionId: (await paymentOf())?.id, reason: 'Goodwill' })
    await shop.settled()
    expect(await call(fan, 'verify-subscription', { creatorId: creator.profileId })).toMatchObject({
      hasActiveSubscription: false,
    })
    await expect
      .poll(async () => (await shop.stripe.subscriptions.list({ status: 'active', limit: 100 })).data, {
        timeout: 20_000,
      })
      .toEqual([])
    await sound()
  })

  it('ends a canceled subscription at once, even if the provider still has its end date [SUB-17, SUB-18]', async () => {
    await subscribe(fan, await shop.buildPlan(creator))
    await shop.settled()
    const own = async () =>
      (await fan.client.from('subscriptions').select('id, status, access_until').single().throwOnError()).data
    await call(fan, 'cancel-subscription', { subscriptionId: (await own())?.id })
    await call(creator, 'refund-payment', { transactionId: (await paymentOf())?.id, reason: 'Not for me' })
    await shop.settled()
    expect(await own()).toMatchObject({ status: 'canceled', access_until: '-infinity' })
    await sound()
  })

  it('is in the audit log even if the server dies before it books an admin’s refund [API-FN-15, DATA-25]', async () => {
    await buyPost()
    const payment = await paymentOf()
    const admin = await buildAdmin(shop.gateway)
    const revive = dieAfter(shop.stripe, 'POST', '/v1/refunds')
    const asked = refusalOf(admin, 'refund-payment', { transactionId: payment?.id, reason: 'Goodwill' })
    expect(await asked).toMatchObject({ status: 502 })
    const lines = () =>
      shop.gateway.query(
        `select actor_id, before, after, details from public.audit_log where action = 'refund_payment' and subject_id = $1`,
        [payment?.id],
      )
    expect(await lines()).toEqual([])
    revive()
    await shop.settled()
    expect(await paymentOf()).toMatchObject({ status: 'refunded' })
    const line = {
      actor_id: admin.userId,
      before: { status: 'completed' },
      after: { status: 'refunded' },
      details: { reason: 'Goodwill' },
    }
    expect(await lines()).toEqual([line])
  })

  it('records a refund made in the provider’s own dashboard, in parts, each once', async () => {
    const postId = await buyPost()
    const payment = await paymentOf()
    for (const amount of [123, 77]) {
      await shop.stripe.refunds.create({
        payment_intent: payment?.cause ?? '',
        amount,
        reverse_transfer: true,
        refund_application_fee: true,
      })
    }
    await shop.settled()
    expect(await paymentOf()).toMatchObject({ status: 'partially_refunded', refunded_amount: '200' })
    expect(await refundsOf()).toHaveLength(2)
    expect(await locked(postId)).toBe(false)
    await sound()
  })

  it('works for the creator and admins: not for the fan, a stranger, or a visitor', async () => {
    await buyPost()
    const body = { transactionId: (await paymentOf())?.id, reason: 'Mine' }
    expect(await refusalOf(fan, 'refund-payment', body)).toMatchObject({ status: 403 })
    expect(await refusalOf(await shop.gateway.signUp(), 'refund-payment', body)).toMatchObject({ status: 404 })
    expect(await refusalOf({ client: shop.gateway.anon }, 'refund-payment', body)).toMatchObject({ status: 401 })
    expect(await refusalOf(creator, 'refund-payment', { ...body, reason: ' ' })).toMatchObject({
      status: 400,
      body: { field: 'reason' },
    })
    expect(await refundsOf()).toEqual([])
  })
})

it('processes a refund that the database has queued', async () => {
  const postId = await buyPost()
  await shop.gateway.query(`select private.request_refund($1, 'Opened nothing')`, [(await paymentOf())?.id])
  await shop.gateway.services.jobs.send({ name: 'payment-tasks' }, {})
  await expect.poll(() => locked(postId), { timeout: 20_000 }).toBe(true)
  await shop.settled()
  expect(await refundsOf()).toMatchObject([{ amount: '-500', reason: 'Opened nothing' }])
  await sound()
})

/** From the response to this call on, the provider can't be reached. @returns a function that restores the connection. */
function dieAfter(stripe: Stripe, diesWith: string, at: string): () => void {
  const client = (stripe as unknown as { getApiField(name: 'httpClient'): Stripe.HttpClient }).getApiField('httpClient')
  const send = client.makeRequest.bind(client)
  let isDead = false
  client.makeRequest = async (host, port, path, method, ...rest) => {
    if (isDead) throw new Error('the connection is down')
    const answer = await send(host, port, path, method, ...rest)
    isDead = method === diesWith && path === at
    return answer
  }
  return () => {
    client.makeRequest = send
  }
}
