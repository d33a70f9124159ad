import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildShop, call, type Plan, pay, refusalOf, type Shop } from '../payments/testing/shop.ts'
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

/** The provider answers 429 `rate_limit`, until it has done so to so many requests. @returns the paths of those requests. */
function busyFor(requests: number): string[] {
  const refused: string[] = []
  const allow = shop.sandbox.refuseTraffic()
  const client = (shop.stripe as unknown as { getApiField(name: 'httpClient'): Stripe.HttpClient }).getApiField(
    'httpClient',
  )
  const send = client.makeRequest
  client.makeRequest = async (host, port, path, ...rest) => {
    const answer = await send.call(client, host, port, path, ...rest)
    if (answer.getStatusCode() === 429) refused.push(path)
    if (refused.length >= requests) {
      client.makeRequest = send
      allow()
    }
    return answer
  }
  return refused
}

it('opens one checkout when the provider limits our requests for a moment [SUB-02]', async () => {
  const fan = await shop.gateway.signUp()
  const refused = busyFor(2)
  const { url } = await call<{ url: string }>(fan, 'create-subscription-checkout', { productId: plan.id })
  expect(refused).toHaveLength(2)
  await pay(url)
  await shop.settled()
  const { data } = await fan.client.from('subscriptions').select('status')
  expect(data).toEqual([{ status: 'active' }])
  expect((await shop.stripe.customers.list({ email: fan.email })).data).toHaveLength(1)
})

it('fulfills an event later when the provider limits our requests', async () => {
  const fan = await shop.gateway.signUp()
  const order = { kind: 'tip', targetId: creator.profileId, amountCents: 500 }
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', order)
  // The page is paid; the events arrive while the product may ask nothing.
  const held = shop.sandbox.refuseTraffic()
  await pay(url)
  await expect
    .poll(() => shop.gateway.query('select from private.stripe_events where error is not null'))
    .not.toHaveLength(0)
  held()
  await shop.settled()
  const { data } = await creator.client.from('transactions').select('amount').eq('from_user_id', fan.profileId)
  expect(data).toEqual([{ amount: 500 }])
})

it('says after a few seconds that nothing was charged when the limit lasts', async () => {
  const fan = await shop.gateway.signUp()
  const allow = shop.sandbox.refuseTraffic()
  try {
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({
      status: 502,
      body: {
        code: 'provider_unavailable',
        error: "The payment provider isn't responding. You weren't charged. Try again in a moment.",
      },
    })
  } finally {
    allow()
  }
  await call(fan, 'create-subscription-checkout', { productId: plan.id })
})
