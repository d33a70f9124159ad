import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildShop, call, type Plan, pay, refusalOf, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

let shop: Shop
let creator: Person
let plan: Plan
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
})
afterAll(() => shop.close())
afterEach(() => vi.restoreAllMocks())

const checkout = (fan: Person, productId: string = plan.id) =>
  call<{ url: string }>(fan, 'create-subscription-checkout', { productId })

const sessionsOf = ({ profileId }: Person) =>
  shop.gateway.query<{ id: string; status: string; product_id: string }>(
    'select id, status, product_id from private.checkout_sessions where profile_id = $1 order by created_at, id',
    [profileId],
  )

const subscriptionsOf = ({ profileId }: Person) =>
  shop.gateway.query('select status, creator_id, tier_id from public.subscriptions where subscriber_id = $1', [
    profileId,
  ])

describe('verify-subscription', () => {
  it('returns nothing without a subscription, and the plan and creator with one [API-FN-01, DATA-19]', async () => {
    const fan = await shop.gateway.signUp()
    const verify = () => call(fan, 'verify-subscription', { creatorId: creator.profileId })
    expect(await verify()).toMatchObject({ hasActiveSubscription: false, subscription: null })
    await subscribe(fan, plan)
    await shop.settled()
    expect(await verify()).toMatchObject({
      hasActiveSubscription: true,
      subscription: {
        status: 'active',
        tier_name: plan.name,
        creator: { id: creator.profileId, username: creator.username },
      },
    })
  })
})

describe('create-subscription-checkout', () => {
  it('sends Stripe the plan, the destination, and the fee, and leads back to this site [SUB-01, GEN-06, API-FN-02]', async () => {
    const fan = await shop.gateway.signUp()
    expect(await checkout(fan)).toMatchObject({ url: expect.stringContaining('/checkout/') })
    const [row] = await sessionsOf(fan)
    const session = await shop.stripe.checkout.sessions.retrieve(row?.id ?? '', { expand: ['line_items', 'customer'] })
    const site = shop.gateway.url
    expect(session).toMatchObject({
      mode: 'subscription',
      amount_total: 999,
      client_reference_id: fan.profileId,
      success_url: `${site}/subscription-success?session_id={CHECKOUT_SESSION_ID}&creator_id=${creator.profileId}`,
      // Back to the plans, where the fan chose.
      cancel_url: `${site}/profile/${creator.username}?tab=subscribe&checkout=left`,
      metadata: { profile_id: fan.profileId, creator_id: creator.profileId, product_id: plan.id },
      customer: { email: fan.email, metadata: { profile_id: fan.profileId } },
    })
    // The page says whose plan it is.
    expect(await (await fetch(session.url ?? '')).text()).toContain(`Subscription to ${creator.username}`)
    const unknown = { productId: '00000000-0000-4000-8000-000000000000' }
    expect(await refusalOf(fan, 'create-subscription-checkout', unknown)).toMatchObject({
      status: 404,
      body: { error: expect.any(String) },
    })
  })

  it('opens one session for one customer on a double click', async () => {
    const fan = await shop.gateway.signUp()
    const answers = await Promise.all([checkout(fan), checkout(fan), checkout(fan)])
    expect(new Set(answers.map(({ url }) => url)).size).toBe(1)
    expect(await checkout(fan)).toEqual(answers[0])
    expect(await sessionsOf(fan)).toHaveLength(1)
    expect(
      await shop.gateway.query('select from private.stripe_customers where profile_id = $1', [fan.profileId]),
    ).toHaveLength(1)
    const { data: customers } = await shop.stripe.customers.list({ email: fan.email })
    expect(customers).toHaveLength(1)
  })

  it('accepts any name', async () => {
    for (const name of ['Łukasz 🎭', '名'.repeat(50)]) {
      const fan = await shop.gateway.signUp({ data: { display_name: name } })
      expect(await Promise.all([checkout(fan), checkout(fan)])).toHaveLength(2)
      expect((await shop.stripe.customers.list({ email: fan.email })).data).toMatchObject([{ name }])
    }
  })

  it('leaves at most one page to pay if two tabs choose two plans at once, and opens the next', async () => {
    const fan = await shop.gateway.signUp()
    const gold = await shop.buildPlan(creator, { name: 'Gold', price_cents: 1_999 })
    const answers = await Promise.all([checkout(fan), checkout(fan, gold.id)])
    const statuses = await Promise.all(answers.map(async ({ url }) => (await fetch(url)).status))
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1)
    expect((await fetch((await checkout(fan)).url)).status).toBe(200)
  })

  it('reuses the customer for later purchases, and creates another if Stripe has lost it', async () => {
    const fan = await shop.gateway.signUp()
    const other = await shop.buildPlan(await shop.buildCreator())
    const customerOf = async (id: string | undefined): Promise<unknown> =>
      (await shop.stripe.checkout.sessions.retrieve(id ?? '')).customer
    await checkout(fan)
    await checkout(fan, other.id)
    const [first, second] = await sessionsOf(fan)
    expect(await customerOf(second?.id)).toBe(await customerOf(first?.id))

    await shop.gateway.query(`update private.stripe_customers set customer_id = 'cus_gone' where profile_id = $1`, [
      fan.profileId,
    ])
    await checkout(fan, (await shop.buildPlan(await shop.buildCreator())).id)
    const [kept] = await shop.gateway.query<{ customer_id: string }>(
      'select customer_id from private.stripe_customers where profile_id = $1',
      [fan.profileId],
    )
    expect(kept?.customer_id).toMatch(/^cus_(?!gone)/)
  })

  it('closes the page of the first plan if the fan chooses another of the same creator', async () => {
    const fan = await shop.gateway.signUp()
    const yearly = await shop.buildPlan(creator, { name: 'A year', price_cents: 9_900, interval: 'year' })
    const first = await checkout(fan)
    await checkout(fan, yearly.id)
    expect(await sessionsOf(fan)).toMatchObject([
      { product_id: plan.id, status: 'expired' },
      { product_id: yearly.id, status: 'open' },
    ])
    expect((await fetch(first.url)).status).toBe(410)
  })

  it('opens no page for another plan while the provider is processing the first one', async () => {
    const fan = await shop.gateway.signUp()
    const gold = await shop.buildPlan(creator, { name: 'Gold', price_cents: 1_999 })
    const first = await checkout(fan)
    const { sessions } = shop.stripe.checkout
    const busy = new Stripe.errors.StripeInvalidRequestError({ type: 'invalid_request_error', message: 'in progress' })
    vi.spyOn(sessions, 'expire').mockRejectedValueOnce(busy)
    expect(await checkout(fan, gold.id)).toEqual(first)
    expect(await sessionsOf(fan)).toMatchObject([{ product_id: plan.id, status: 'open' }])
    vi.spyOn(sessions, 'expire').mockRejectedValueOnce(new Stripe.errors.StripeConnectionError())
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: gold.id })).toMatchObject({ status: 502 })
    expect(await sessionsOf(fan)).toHaveLength(1)
  })

  it('opens no page for another plan if the first one is paid at this very moment [SUB-04]', async () => {
    const fan = await shop.gateway.signUp()
    const gold = await shop.buildPlan(creator, { name: 'Gold', price_cents: 1_999 })
    const { url } = await checkout(fan)
    await payBeforeItCloses(url)
    const refusal = await refusalOf(fan, 'create-subscription-checkout', { productId: gold.id })
    expect(refusal).toMatchObject({ status: 409, body: { code: 'switch_instead' } })
    expect(await sessionsOf(fan)).toMatchObject([{ product_id: plan.id, status: 'complete' }])
    await shop.settled()
  })

  it("closes its own page if another tab's page is paid at this very moment [SUB-04]", async () => {
    const fan = await shop.gateway.signUp()
    const gold = await shop.buildPlan(creator, { name: 'Gold', price_cents: 1_999 })
    const { sessions } = shop.stripe.checkout
    const create = sessions.create.bind(sessions)
    vi.spyOn(sessions, 'create').mockImplementationOnce(async (...args) => {
      const opened = await create(...args)
      await payBeforeItCloses((await checkout(fan)).url) // the other tab
      return opened
    })
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: gold.id })).toMatchObject({ status: 409 })
    const statuses = Object.fromEntries((await sessionsOf(fan)).map(({ product_id, status }) => [product_id, status]))
    expect(statuses).toEqual({ [plan.id]: 'complete', [gold.id]: 'expired' })
    await shop.settled()
  })

  async function payBeforeItCloses(url: string): Promise<void> {
    const { sessions } = shop.stripe.checkout
    const expire = sessions.expire.bind(sessions)
    vi.spyOn(sessions, 'expire').mockImplementationOnce(async (id) => {
      await pay(url)
      return expire(id)
    })
  }

  it('opens a new session once the last one has expired', async () => {
    const fan = await shop.gateway.signUp()
    const first = await checkout(fan)
    const [row] = await sessionsOf(fan)
    await shop.stripe.checkout.sessions.expire(row?.id ?? '')
    expect((await checkout(fan)).url).not.toBe(first.url)
  })

  const unbuyable: readonly { what: string; status: number; error: string; plan: () => Promise<string> }[] = [
    {
      what: 'an unknown plan',
      status: 404,
      error: 'This plan no longer exists',
      plan: async () => '3f1c1c52-7a55-4f3e-9a53-2d4b2a3ad5b1',
    },
    {
      what: 'a retired plan, which is hidden from everyone but its subscribers',
      status: 404,
      error: 'This plan no longer exists',
      plan: async () => {
        const { id } = await shop.buildPlan(creator, { name: 'Retired' })
        await shop.gateway.query('update public.subscription_products set is_active = false where id = $1', [id])
        return id
      },
    },
    {
      what: 'a plan of a creator whose account was restricted',
      status: 409,
      error: "This creator can't take payments right now",
      plan: async () => {
        const { profileId, plan: theirs } = await buildSeller()
        await shop.gateway.query('update private.profiles set stripe_charges_enabled = false where id = $1', [
          profileId,
        ])
        return theirs.id
      },
    },
    {
      what: 'a plan of a creator whose approval was withdrawn',
      status: 409,
      error: "This creator can't take payments right now",
      plan: async () => {
        const { profileId, plan: theirs } = await buildSeller()
        await shop.gateway.query('update private.profiles set is_verified = false where id = $1', [profileId])
        return theirs.id
      },
    },
  ]

  async function buildSeller(): Promise<{ profileId: string; plan: Plan }> {
    const seller = await shop.buildCreator()
    const theirs = await shop.buildPlan(seller)
    await shop.settled()
    return { profileId: seller.profileId, plan: theirs }
  }

  it.each(unbuyable)('rejects $what, and starts nothing', async ({ plan: productId, status, error }) => {
    const fan = await shop.gateway.signUp()
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: await productId() })).toMatchObject({
      status,
      body: { success: false, error },
    })
    expect(await sessionsOf(fan)).toEqual([])
    expect(
      await shop.gateway.query('select from private.stripe_customers where profile_id = $1', [fan.profileId]),
    ).toEqual([])
  })

  it('rejects your own plan, active or retired', async () => {
    const own = await shop.buildPlan(creator, { name: 'Own' })
    const refused = { status: 409, body: { error: "You can't subscribe to your own plan" } }
    const refuse = () => refusalOf(creator, 'create-subscription-checkout', { productId: own.id })
    expect(await refuse()).toMatchObject(refused)
    await creator.client.from('subscription_products').update({ is_active: false }).eq('id', own.id).throwOnError()
    expect(await refuse()).toMatchObject(refused)
  })

  it.each([undefined, null, '', 'x', 7, {}])('names productId when it is %j', async (productId) => {
    const fan = await shop.gateway.signUp()
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId })).toMatchObject({
      status: 400,
      body: { field: 'productId' },
    })
  })

  it('rejects a second subscription to the same plan, and to another of the same creator [SUB-04]', async () => {
    const fan = await shop.gateway.signUp()
    await subscribe(fan, plan)
    await shop.settled()
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({
      status: 409,
      body: { error: "You're already subscribed to this plan" },
    })
    const gold = await shop.buildPlan(creator, { name: 'Gold', price_cents: 1_999 })
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: gold.id })).toMatchObject({
      status: 409,
      body: { error: 'You already have a plan with this creator. Switch plans instead of buying a second one.' },
    })
    expect(await sessionsOf(fan)).toHaveLength(1)
  })

  it('shows a subscriber that a plan is no longer offered [PROD-10]', async () => {
    const fan = await shop.gateway.signUp()
    const retiring = await shop.buildPlan(await shop.buildCreator())
    await subscribe(fan, retiring)
    await shop.settled()
    await shop.gateway.query('update public.subscription_products set is_active = false where id = $1', [retiring.id])
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: retiring.id })).toMatchObject({
      status: 409,
      body: { error: 'This plan is no longer available' },
    })
  })

  it('grants nothing for a declined card, and lets the fan try another on the same page', async () => {
    const fan = await shop.gateway.signUp()
    const { url } = await checkout(fan)
    expect((await pay(url, '4000 0000 0000 0002')).status).toBe(402)
    await shop.settled()
    expect(await call(fan, 'verify-subscription', { creatorId: creator.profileId })).toMatchObject({
      hasActiveSubscription: false,
    })
    expect(await subscriptionsOf(fan)).toEqual([])
    expect((await pay(url)).status).toBe(303)
    await shop.settled()
    expect(await subscriptionsOf(fan)).toMatchObject([{ status: 'active', tier_id: plan.id }])
  })

  it('starts a free trial without a charge, once per creator, with access while days remain [D15, PROD-11, SUB-15]', async () => {
    const generous = await shop.buildCreator()
    const trial = await shop.buildPlan(generous, { trial_days: 7 })
    const fan = await shop.gateway.signUp()
    await subscribe(fan, trial)
    await shop.settled()
    const { subscription, hasActiveSubscription } = await call<{
      hasActiveSubscription: boolean
      subscription: { id: string; status: string; tier_name: string; creator: { username: string } }
    }>(fan, 'verify-subscription', { creatorId: generous.profileId })
    expect({ hasActiveSubscription, status: subscription.status }).toEqual({
      hasActiveSubscription: true,
      status: 'trial',
    })
    expect(subscription).toMatchObject({ tier_name: trial.name, creator: { username: generous.username } })
    expect(
      await shop.gateway.query('select from public.transactions where from_user_id = $1', [fan.profileId]),
    ).toEqual([])
    const both = { subscriber_profile_id: fan.profileId, creator_profile_id: generous.profileId }
    const state = async () => (await fan.client.rpc('get_subscription_status', both).throwOnError()).data
    expect(await state()).toMatchObject([{ status: 'trial', days_remaining: 7, has_access: true }])
    await shop.gateway.query(
      `update public.subscriptions set trial_end = now(), current_period_end = now(), access_until = now() where id = $1`,
      [subscription.id],
    )
    expect(await state()).toMatchObject([{ status: 'trial', days_remaining: 0, has_access: false }])

    const [row] = await shop.gateway.query<{ id: string }>(
      'select stripe_subscription_id as id from private.stripe_subscriptions where subscription_id = $1',
      [subscription.id],
    )
    await shop.stripe.subscriptions.cancel(row?.id ?? '')
    await shop.settled()
    await subscribe(fan, trial)
    await shop.settled()
    expect(await subscriptionsOf(fan)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ status: 'canceled' }),
        expect.objectContaining({ status: 'active' }),
      ]),
    )
    expect(
      await shop.gateway.query('select amount from public.transactions where from_user_id = $1', [fan.profileId]),
    ).toEqual([{ amount: '999' }])
  })
})

describe('verify-subscription', () => {
  it.each([undefined, 'x'])('names creatorId when it is %j', async (creatorId) => {
    expect(await refusalOf(creator, 'verify-subscription', { creatorId })).toMatchObject({
      status: 400,
      body: { field: 'creatorId' },
    })
  })

  it("doesn't reveal another fan's subscription [GEN-35]", async () => {
    const [fan, stranger] = [await shop.gateway.signUp(), await shop.gateway.signUp()]
    await subscribe(fan, plan)
    await shop.settled()
    expect(await call(stranger, 'verify-subscription', { creatorId: creator.profileId })).toEqual({
      hasActiveSubscription: false,
      subscription: null,
      isAwaited: false,
      refund: null,
    })
  })

  it('says whether a payment may still arrive, only for a checkout that was started [SUB-13]', async () => {
    const fan = await shop.gateway.signUp()
    const ask = () => call(fan, 'verify-subscription', { creatorId: creator.profileId })
    expect(await ask()).toMatchObject({ hasActiveSubscription: false, isAwaited: false })
    await call(fan, 'create-subscription-checkout', { productId: plan.id })
    expect(await ask()).toMatchObject({ hasActiveSubscription: false, isAwaited: true })
    await subscribe(fan, plan)
    await shop.settled()
    expect(await ask()).toMatchObject({ hasActiveSubscription: true, isAwaited: false })
  })
})

describe('refresh-subscription-status', () => {
  it("stores Stripe's current state, and returns it [SUB-22, API-FN-09]", async () => {
    const fan = await shop.gateway.signUp()
    await subscribe(fan, plan)
    await shop.settled()
    await shop.gateway.query(
      `update public.subscriptions set status = 'past_due', past_due_since = now() where subscriber_id = $1`,
      [fan.profileId],
    )
    const expected = { success: true, subscriptions: [{ status: 'active', has_access: true, tier_name: 'Backstage' }] }
    expect(await call(fan, 'refresh-subscription-status')).toMatchObject(expected)
    expect(await call(fan, 'refresh-subscription-status', { creatorId: creator.profileId })).toMatchObject(expected)
  })
})
