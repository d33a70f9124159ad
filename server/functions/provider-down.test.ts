import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSandbox } from '@ovation/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildStripe } from '../payments/stripe.ts'
import { buildShop, call, type Plan, refusalOf, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { buildAdmin } from '../testing/people.ts'
import { fromStripe } from './translate-stripe-errors.ts'

const unavailable = {
  status: 502,
  body: {
    success: false,
    error: "The payment provider isn't responding. You weren't charged. Try again in a moment.",
    code: 'provider_unavailable',
  },
}

describe('while the payment provider is down', () => {
  let shop: Shop
  let creator: Person
  let plan: Plan
  let promotion: { id: string }
  let subscriber: Person
  beforeAll(async () => {
    shop = await buildShop()
    creator = await shop.buildCreator()
    plan = await shop.buildPlan(creator)
    subscriber = await shop.gateway.signUp()
    await subscribe(subscriber, plan)
    const code = { code: 'SUMMER', percentOff: 25, duration: 'once' }
    promotion = (await call<{ promotionCode: { id: string } }>(creator, 'create-promotion-code', code)).promotionCode
    await shop.settled()
    await shop.sandbox.close()
  })
  afterAll(() => shop.close())

  it('a checkout returns an error, and leaves nothing half done [SUB-02]', async () => {
    const fan = await shop.gateway.signUp()
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: plan.id })).toMatchObject(unavailable)
    expect(
      await shop.gateway.query(
        `select from private.checkout_sessions where profile_id = $1
         union all select from private.stripe_customers where profile_id = $1`,
        [fan.profileId],
      ),
    ).toEqual([])
  })

  it.each(['create-stripe-account', 'check-stripe-status', 'stripe-test-connection'])(
    '%s returns an error',
    async (name) => {
      expect(await refusalOf(creator, name)).toMatchObject(unavailable)
    },
  )

  it("a new plan isn't created here either", async () => {
    const body = { name: 'Gold', price_cents: 1_999, interval: 'month' }
    expect(await refusalOf(creator, 'create-subscription-product', body)).toMatchObject(unavailable)
    expect(
      await shop.gateway.query('select name from public.subscription_products where creator_id = $1', [
        creator.profileId,
      ]),
    ).toEqual([{ name: 'Backstage' }])
  })

  it("a promotion code isn't retired only here, because it would keep working on open pages", async () => {
    expect(await refusalOf(creator, 'retire-promotion-code', { id: promotion.id })).toMatchObject(unavailable)
    const { promotionCodes } = await call<{ promotionCodes: object[] }>(creator, 'list-promotion-codes')
    expect(promotionCodes).toMatchObject([{ id: promotion.id, isActive: true }])
  })

  it('access to purchases stays, without a request to the provider [SUB-14]', async () => {
    const { data } = await subscriber.client.functions.invoke('verify-subscription', {
      body: { creatorId: creator.profileId },
    })
    expect(data).toMatchObject({ hasActiveSubscription: true })
  })
})

describe('closing accounts while the payment provider is down', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await buildShop()
  })
  afterAll(() => shop.close())

  it('closes them at once, and nobody is charged for or by them once it is back [SET-14, ADM-19, GEN-05, D6]', async () => {
    const { gateway } = shop
    const [leaving, staying, suspended] = [
      await shop.buildCreator(),
      await shop.buildCreator(),
      await shop.buildCreator(),
    ]
    const [one, deleted, three] = [await gateway.signUp(), await gateway.signUp(), await gateway.signUp()]
    for (const [fan, creator] of [
      [one, leaving],
      [deleted, staying],
      [three, suspended],
    ] as const)
      await subscribe(fan, await shop.buildPlan(creator))
    await shop.settled()
    const admin = await buildAdmin(gateway)
    const openTasks = () =>
      gateway.query<{ kind: string }>('select kind from private.payment_tasks where done_at is null order by kind')

    await shop.sandbox.close()
    await call(leaving, 'delete-own-account', { password: leaving.password })
    await call(admin, 'delete-user-account', { userId: deleted.userId })
    await admin.client.rpc('suspend_user', { profile_id: suspended.profileId, reason: 'Spam' }).throwOnError()
    const kinds = (await openTasks()).map(({ kind }) => kind)
    expect(kinds).toEqual(['cancel_subscription', 'cancel_subscription', 'delete_customer', 'stop_renewal'])

    const back = await startSandbox({ file: shop.sandboxFile, port: shop.sandbox.port, merchant: 'Ovation' })
    try {
      back.setWebhook({
        url: `${gateway.url}/functions/v1/stripe-webhook`,
        secret: gateway.secrets.sandboxWebhookSecret,
      })
      // The job retries automatically.
      await expect.poll(openTasks, { timeout: 60_000 }).toEqual([])
      const { data: left } = await shop.stripe.subscriptions.list({ status: 'all' })
      expect(
        left.map(({ status, cancel_at_period_end }) => (cancel_at_period_end ? 'ends' : status)).toSorted(),
      ).toEqual(['canceled', 'canceled', 'ends'])
      back.advanceClock(40 * 86_400)
      expect((await shop.stripe.charges.list()).data).toHaveLength(3)
    } finally {
      await back.close()
    }
  })
})

describe('a payment provider', () => {
  let provider: Server
  let answer: (path: string) => { status: number; body: object } | undefined
  beforeAll(async () => {
    provider = createServer((request, response) => {
      const answered = answer(request.url ?? '')
      if (!answered) return // never
      response.writeHead(answered.status, { 'content-type': 'application/json' }).end(JSON.stringify(answered.body))
    })
    await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening))
  })
  afterAll(() => {
    provider.closeAllConnections()
    provider.close()
  })

  async function failureOf(given: typeof answer) {
    answer = given
    const { port } = provider.address() as AddressInfo
    const config = {
      secretKey: undefined,
      webhookSecret: undefined,
      clientId: undefined,
      apiBase: undefined,
      sandboxPort: 0,
    }
    const { api } = buildStripe(
      { stripe: config },
      { sandboxWebhookSecret: 'whsec_x' },
      `http://127.0.0.1:${port}`,
      100,
    )
    return fromStripe(
      await api.accounts.create({ type: 'express' }).then(
        () => undefined,
        (error: unknown) => error,
      ),
    )
  }

  it('that is too slow counts as down', async () => {
    expect(await failureOf(() => undefined)).toMatchObject({ status: 502, code: 'provider_unavailable' })
  })

  it.each([
    [500, { type: 'api_error', message: 'Something is wrong with the provider' }],
    [401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****' }],
    [429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' }],
  ])("that returns %i counts as down, and its message isn't shown", async (status, error) => {
    const failure = await failureOf(() => ({ status, body: { error } }))
    expect(failure).toMatchObject({ status: 502, code: 'provider_unavailable' })
    expect((failure as { more?: unknown }).more).toEqual({})
  })

  it('that rejects a request is quoted next to our own sentence', async () => {
    const error = { type: 'invalid_request_error', message: 'No such destination' }
    expect(await failureOf(() => ({ status: 400, body: { error } }))).toMatchObject({
      status: 502,
      code: 'provider_refused',
      message: "The payment provider rejected this request. You weren't charged.",
      more: { details: 'No such destination' },
    })
  })

  it('without Connect leads to an error with instructions [ONB-18, API-FN-06]', async () => {
    const error = {
      type: 'invalid_request_error',
      message:
        "You can only create new accounts if you've signed up for Connect, which you can do at https://dashboard.stripe.com/connect.",
    }
    expect(await failureOf(() => ({ status: 400, body: { error } }))).toMatchObject({
      status: 409,
      code: 'connect_not_enabled',
      more: {
        message: expect.any(String),
        instructions: expect.any(String),
        learn_more_url: 'https://dashboard.stripe.com/connect',
      },
    })
  })
})
