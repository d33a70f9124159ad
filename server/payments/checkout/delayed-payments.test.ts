import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { buildPaidPost } from '../testing/paid-post.ts'
import { changeAtProvider } from '../testing/provider-state.ts'
import { buildShop, call, pay, refusalOf, type Shop } from '../testing/shop.ts'
import { fulfillEvent } from '../webhooks/fulfill-event.ts'
import { storeEvent } from '../webhooks/stored-events.ts'

let shop: Shop
let creator: Person
let fan: Person
let order: { kind: 'ppv'; targetId: string; savedCard: 'skip' }
let session: Stripe.Checkout.Session
beforeAll(async () => {
  shop = await buildShop({ webhooks: false }) // the test plays the provider
  creator = await shop.buildCreator()
})
afterAll(() => shop?.close())
/** The fan has finished the page with a payment method that takes days. */
beforeEach(async () => {
  fan = await shop.gateway.signUp()
  order = { kind: 'ppv', targetId: await buildPaidPost(creator), savedCard: 'skip' }
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', order)
  await pay(url)
  const [made] = (await shop.stripe.checkout.sessions.list({ limit: 1 })).data
  if (!made) throw new Error('no page was made')
  session = made
  become('unpaid', 'processing')
})

function become(paymentStatus: string, intentStatus: string): void {
  changeAtProvider(shop, session.id, { '$.payment_status': paymentStatus })
  changeAtProvider(shop, String(session.payment_intent), { '$.status': intentStatus })
}
async function hear(type: string): Promise<void> {
  const id = `evt_${crypto.randomUUID()}`
  const event = { id, type, created: 0, livemode: false, data: { object: { id: session.id } } }
  await storeEvent(shop.gateway.services, event as unknown as Stripe.Event, { fulfill: true })
  await fulfillEvent(shop.gateway.services, id)
}
const verify = () => call(fan, 'verify-payment', { sessionId: session.id })

it('all pages accept only cards', async () => {
  const plan = await shop.buildPlan(creator)
  await call(await shop.gateway.signUp(), 'create-subscription-checkout', { productId: plan.id })
  await call(await shop.gateway.signUp(), 'save-card', {})
  const { data } = await shop.stripe.checkout.sessions.list({ limit: 3 })
  expect(data.map(({ mode, allowed_payment_method_types: types }) => [mode, types])).toEqual([
    ['setup', ['card']],
    ['subscription', ['card']],
    ['payment', ['card']],
  ])
})

it('a pending payment unlocks nothing, and allows no second page [POST-45]', async () => {
  await hear('checkout.session.completed')
  expect(await verify()).toMatchObject({ status: 'open', hasAccess: false })
  expect(await refusalOf(fan, 'create-payment-checkout', order)).toMatchObject({
    status: 409,
    body: { code: 'payment_pending' },
  })
  expect(await shop.gateway.query('select from public.purchases where buyer_id = $1', [fan.profileId])).toEqual([])
  become('paid', 'succeeded')
  await hear('checkout.session.async_payment_succeeded')
  expect(await verify()).toMatchObject({ status: 'paid', hasAccess: true })
})

it('notifies the fan once of a payment that failed, and lets them try again', async () => {
  become('unpaid', 'requires_payment_method')
  await hear('checkout.session.async_payment_failed')
  await hear('checkout.session.async_payment_failed')
  expect(await verify()).toMatchObject({ status: 'expired', hasAccess: false })
  const { data } = await fan.client
    .from('notifications')
    .select('message')
    .eq('title', 'Your bank rejected your payment')
    .throwOnError()
  expect(data).toMatchObject([{ message: expect.stringContaining('Nothing was charged') }])
  expect(await call(fan, 'create-payment-checkout', order)).toMatchObject({ url: expect.any(String) })
})
